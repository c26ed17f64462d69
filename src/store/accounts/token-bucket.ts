import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** Buckets of tokens that all servers of a PostgreSQL database share. Each holds as many as it gets in a minute. */
export interface SharedBuckets {
  db: Db
  perMinute: number
  nowMs: number
}

export interface TakenTokens {
  name: string
  taken: number
  /** Number of tokens left in the bucket; may be a fraction. */
  tokens: number
}

/** A name of fixed length, which does not show whose it is. */
export const bucketName = (kind: string, key: string): string => `${kind} ${hash('sha256', key, 'base64url')}`

/** Takes up to so many tokens of each bucket, in one statement. */
export function takeTokens(buckets: SharedBuckets, names: string[], count = 1): Promise<TakenTokens[]> {
  return take(buckets, { names, count })
}

/**
 * The same with one token, either of the bucket `exclusive` alone, when it exists, or of the others. `openBucket` makes it
 * exist.
 */
export function takeTokenOfEither(buckets: SharedBuckets, exclusive: string, others: string[]): Promise<TakenTokens[]> {
  return take(buckets, { names: [exclusive, ...others], count: 1, exclusive })
}

async function take(
  { db, perMinute, nowMs }: SharedBuckets,
  { names, count, exclusive }: { names: string[]; count: number; exclusive?: string },
): Promise<TakenTokens[]> {
  const passedMs = sql`greatest(0, ${nowMs}::bigint - bucket.at)`
  const refilled = sql`least(${perMinute}::float8, bucket.tokens + ${passedMs} * ${perMinute}::float8 / 60000)`
  const isWanted =
    exclusive === undefined
      ? sql`true`
      : sql`(name = ${exclusive}) = exists (select 1 from token_bucket where token_bucket.name = ${exclusive})`
  const fresh = Math.min(count, perMinute)
  // In order, so that two statements never wait for each other.
  const { rows } = await sql<TakenTokens>`
    insert into token_bucket as bucket (name, tokens, taken, at)
    select name, ${perMinute - fresh}::float8, ${fresh}::bigint, ${nowMs}::bigint
    from unnest(${names.toSorted()}::text[]) as name where ${isWanted} order by name collate "C"
    on conflict (name) do update set
      tokens = ${refilled} - least(${count}::float8, floor(${refilled})),
      taken = least(${count}::float8, floor(${refilled})),
      at = greatest(bucket.at, excluded.at)
    returning name, taken, tokens`.execute(db)
  return rows
}

/** Returns one token to each bucket. */
export async function returnTokens({ db, perMinute }: Omit<SharedBuckets, 'nowMs'>, names: string[]): Promise<void> {
  await sql`update token_bucket set tokens = least(${perMinute}::float8, tokens + 1)
    where name = any(${names}::text[])`.execute(db)
}

/** Makes a bucket exist, full if it is new. */
export async function openBucket({ db, perMinute, nowMs }: SharedBuckets, name: string): Promise<void> {
  await sql`insert into token_bucket as bucket (name, tokens, taken, at)
    values (${name}, ${perMinute}, 0, ${nowMs})
    on conflict (name) do update set at = greatest(bucket.at, excluded.at)`.execute(db)
}

/** Buckets that were not used for so long are full, so they need no row. Those of one kind stay longer. */
export async function removeIdleBuckets(
  db: Db,
  { nowMs, kept }: { nowMs: number; kept: { kind: string; forMs: number } },
): Promise<void> {
  await sql`delete from token_bucket where at < ${nowMs - 2 * 60_000}
    and (at < ${nowMs - kept.forMs} or not starts_with(name, ${`${kept.kind} `}))`.execute(db)
}
