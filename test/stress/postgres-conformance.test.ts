// The environment of this project makes its stores on PostgreSQL. Every day, one call of each route runs on it.
import '../server/conformance.test.ts'
import '../server/conformance-values.stress.test.ts'
