// The environment of this project makes its stores on PostgreSQL. The suite runs the rest of the table on it.
import '../server/conformance-values.test.ts'
