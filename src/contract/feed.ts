import * as z from 'zod/mini'
import { nullableText, nullableTime, Timestamp } from './shape.ts'

/** The address of an Atom feed of releases, an extension. Only the answer that creates it contains the secret part. */
export const FeedAddress = z.object({
  feed_id: z.string(),
  /** Team whose projects it covers; null for the caller's own account. */
  team: nullableText,
  created_at: Timestamp,
  /** Rounded to the hour; null for a feed that was never read. */
  last_used: nullableTime,
  /** When it expires with the key that created it; null if it does not expire. */
  expires_at: nullableTime,
})
export type FeedAddress = z.infer<typeof FeedAddress>
