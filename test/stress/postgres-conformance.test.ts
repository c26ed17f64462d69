// The environment of this project makes its stores on PostgreSQL.
import '../server/conformance.test.ts'
