import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** Token buckets shared by all servers of a PostgreSQL database. Capacity is the number of tokens added per minute. */
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

/** A bucket name of fixed length that does not reveal the key. */
export const bucketName = (kind: string, key: string): string => `${kind} ${hash('sha256', key, 'base64url')}`

/** One in this many calls of `takeTokens` removes unused buckets. */
const cleanEvery = 500
let calls = 0

/** Takes up to this many tokens from each bucket, in one statement. */
export async function takeTokens(
  { db, perMinute, nowMs }: SharedBuckets,
  names: string[],
  count = 1,
): Promise<TakenTokens[]> {
  const passedMs = sql`greatest(0, ${nowMs}::bigint - bucket.at)`
  const refilled = sql`least(${perMinute}::float8, bucket.tokens + ${passedMs} * ${perMinute}::float8 / 60000)`
  const fresh = Math.min(count, perMinute)
  // Ordered, so that two statements cannot deadlock.
  const { rows } = await sql<TakenTokens>`
    insert into token_bucket as bucket (name, tokens, taken, at)
    select name, ${perMinute - fresh}::float8, ${fresh}::bigint, ${nowMs}::bigint
    from unnest(${names.toSorted()}::text[]) as name order by name collate "C"
    on conflict (name) do update set
      tokens = ${refilled} - least(${count}::float8, floor(${refilled})),
      taken = least(${count}::float8, floor(${refilled})),
      at = greatest(bucket.at, excluded.at)
    returning name, taken, tokens`.execute(db)
  if (++calls % cleanEvery === 0) removeIdleBuckets(db, nowMs).catch(() => {})
  return rows
}

/** Returns one token to each bucket. */
export async function returnTokens({ db, perMinute }: Omit<SharedBuckets, 'nowMs'>, names: string[]): Promise<void> {
  await sql`update token_bucket set tokens = least(${perMinute}::float8, tokens + 1)
    where name = any(${names}::text[])`.execute(db)
}

/** Removes full buckets, which need no row: those not used for this long. */
export async function removeIdleBuckets(db: Db, nowMs: number): Promise<void> {
  await sql`delete from token_bucket where at < ${nowMs - 2 * 60_000}`.execute(db)
}
