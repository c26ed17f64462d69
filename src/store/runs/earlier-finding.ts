import { sql } from 'kysely'
import { pieces } from '../../db/dialect.ts'
import { builtOnce } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import { fingerprintLength } from '../../reports/fingerprint.ts'
import { unlessEarlier } from './finding-history.ts'

/** Fingerprints by older and by current rules, each joined, in the same order. */
export interface FingerprintPairs {
  earlier: Buffer
  later: Buffer
}

/** Findings with a known earlier fingerprint keep it, and the day on which they were first seen. */
export async function rememberEarlier(trx: Db, clusterId: number, { earlier, later }: FingerprintPairs): Promise<void> {
  if (earlier.length === 0) return
  const size = { stride: fingerprintLength, length: fingerprintLength }
  const pairs = sql`${pieces(earlier, size, 'before')} join ${pieces(later, size, 'now')} on now.position = before.position`
  await sql`
    insert into earlier_finding (cluster_id, earlier, fingerprint)
    select ${clusterId}, before.fingerprint, now.fingerprint from ${pairs} where true
    on conflict (cluster_id, earlier) do nothing`.execute(trx)
  await sql`
    insert into finding_history (cluster_id, fingerprint, first_at, first_run_id)
    select ${clusterId}, now.fingerprint, min(history.first_at), min(history.first_run_id) from ${pairs}
    join finding_history as history on history.cluster_id = ${clusterId} and history.fingerprint = before.fingerprint
    group by now.fingerprint
    ${unlessEarlier}`.execute(trx)
}

/** Current fingerprint → earlier one, as strings with one character per byte. */
export async function findEarlier(db: Db, clusterId: number): Promise<Map<string, Buffer[]>> {
  const rows = await earlierOf(db, { clusterId })
  const found = new Map<string, Buffer[]>()
  for (const { earlier, fingerprint } of rows) {
    const key = Buffer.from(fingerprint).toString('latin1')
    const known = found.get(key) ?? []
    known.push(Buffer.from(earlier))
    found.set(key, known)
  }
  return found
}

const earlierOf = builtOnce((db, { clusterId }: { clusterId: number }) =>
  db
    .selectFrom('earlier_finding')
    .select(['earlier', 'fingerprint'])
    .where('cluster_id', '=', clusterId)
    .orderBy('earlier'),
)

/** The current fingerprint of a finding that had this one by older rules, in any cluster of the owner. */
export async function findLater(db: Db, ownerId: number, earlier: Uint8Array): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('earlier_finding as known')
    .innerJoin('cluster', 'cluster.id', 'known.cluster_id')
    .select('known.fingerprint')
    .where('cluster.owner_id', '=', ownerId)
    .where('known.earlier', '=', Buffer.from(earlier))
    .limit(1)
    .executeTakeFirst()
  return row && Buffer.from(row.fingerprint)
}
