import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { pieces } from '../../db/words.ts'
import { fingerprintLength } from '../../reports/fingerprint.ts'

/** A cluster whose fingerprints and content hashes an earlier release stored without a key. */
export async function findClusterWithoutKey(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('cluster').select('id').where('is_keyed', '=', 0).limit(1).executeTakeFirst()
  return row?.id
}

export async function hasKey(db: Db, clusterId: number): Promise<boolean> {
  const row = await db.selectFrom('cluster').select('is_keyed').where('id', '=', clusterId).executeTakeFirst()
  return row?.is_keyed !== 0
}

export async function setHasKey(trx: Db, clusterId: number): Promise<void> {
  await trx.updateTable('cluster').set({ is_keyed: 1 }).where('id', '=', clusterId).execute()
}

export function listHashedRuns(trx: Db, clusterId: number) {
  return trx
    .selectFrom('run')
    .select(['id', 'identity_version as identityVersion', 'content_hash as contentHash'])
    .where('cluster_id', '=', clusterId)
    .execute()
}

export async function replaceHashes(
  trx: Db,
  runRowId: number,
  { contentHash, records }: { contentHash: Uint8Array; records: Uint8Array },
): Promise<void> {
  await trx.updateTable('run').set({ content_hash: contentHash }).where('id', '=', runRowId).execute()
  await trx.updateTable('run_finding').set({ records }).where('run_id', '=', runRowId).execute()
}

const batch = 50_000

/** Replaces every fingerprint of a cluster's history. `change` gets many of them joined, and returns as many. */
export async function changeHistory(
  trx: Db,
  clusterId: number,
  change: (fingerprints: Buffer) => Buffer,
): Promise<void> {
  // All are read before the first is changed: a changed one would be met again.
  const all: Buffer[] = []
  for (let last = Buffer.alloc(0); ; ) {
    const rows = await trx
      .selectFrom('finding_history')
      .select('fingerprint')
      .where('cluster_id', '=', clusterId)
      .where('fingerprint', '>', last)
      .orderBy('fingerprint')
      .limit(batch)
      .execute()
    if (rows.length === 0) break
    last = Buffer.from(rows.at(-1)!.fingerprint)
    all.push(Buffer.concat(rows.map(({ fingerprint }) => fingerprint)))
  }
  for (const old of all) {
    const changed = change(old)
    const size = { stride: fingerprintLength, length: fingerprintLength }
    await sql`
      update finding_history set fingerprint = pair.changed
      from (select before.fingerprint as old, after.fingerprint as changed
        from ${pieces(old, size, 'before')} join ${pieces(changed, size, 'after')}
        on after.position = before.position) as pair
      where cluster_id = ${clusterId} and fingerprint = pair.old`.execute(trx)
  }
}
