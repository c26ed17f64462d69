import * as z from 'zod/mini'
import { feedKinds } from './choices.ts'
import { Timestamp, text } from './shape.ts'

/** Everything in this file is an extension. */

export const FeedKind = z.enum(feedKinds)
export type FeedKind = z.infer<typeof FeedKind>

/** The address of a feed. Only the answer that creates it contains the secret part. */
export const FeedAddress = z.object({
  feed_id: z.string(),
  kind: FeedKind,
  /** Team whose clusters it covers; null for the caller's own account. */
  team: z.nullable(z.string()),
  /** Cluster of a `changes` feed. */
  cluster_name: z.nullable(z.string()),
  environment: z.nullable(z.string()),
  created_at: Timestamp,
  /** Rounded to the hour; null for a feed that was never read. */
  last_used: z.nullable(Timestamp),
  /** When it expires with the key that created it; null if it does not expire. */
  expires_at: z.nullable(Timestamp),
})
export type FeedAddress = z.infer<typeof FeedAddress>

/** `changes` feeds are about one cluster, by default that of the latest upload. */
export const FeedInput = z.object({
  kind: FeedKind,
  cluster_name: z.optional(text(253)),
  environment: z.optional(text(100)),
})
export type FeedInput = z.input<typeof FeedInput>
