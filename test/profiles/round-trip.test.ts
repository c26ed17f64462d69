import { describeRoundTrip } from './round-trip.ts'

describeRoundTrip(150)
