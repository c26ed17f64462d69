import { describeRoundTrip } from '../profiles/round-trip.ts'

describeRoundTrip(5000)
