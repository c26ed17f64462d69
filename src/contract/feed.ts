import * as z from 'zod/mini'
import { feedKinds } from './choices.ts'
import { Timestamp, text } from './shape.ts'

/** All of this is an extension. */

export const FeedKind = z.enum(feedKinds)
export type FeedKind = z.infer<typeof FeedKind>

/** An address of a feed. Its secret part is in the answer that creates it, and nowhere else. */
export const FeedAddress = z.object({
  feed_id: z.string(),
  kind: FeedKind,
  /** Whose clusters it is about; null for the own account. */
  team: z.nullable(z.string()),
  /** Of `changes`. */
  cluster_name: z.nullable(z.string()),
  environment: z.nullable(z.string()),
  created_at: Timestamp,
  /** To the hour; null for a feed that nobody has read. */
  last_used: z.nullable(Timestamp),
  /** When it ends with the key that made it; null: not by itself. */
  expires_at: z.nullable(Timestamp),
})
export type FeedAddress = z.infer<typeof FeedAddress>

/** `changes` are those of one cluster, by default the one of the latest upload. */
export const FeedInput = z.object({
  kind: FeedKind,
  cluster_name: z.optional(text(253)),
  environment: z.optional(text(100)),
})
export type FeedInput = z.input<typeof FeedInput>
