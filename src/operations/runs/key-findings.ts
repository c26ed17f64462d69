import { setImmediate as giveWay } from 'node:timers/promises'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { changeFingerprints, recordLength, recordLengthOf, sortRecords } from '../../reports/finding-records.ts'
import {
  changeHistory,
  findClusterWithoutKey,
  hasKey,
  listHashedRuns,
  replaceHashes,
  setHasKey,
} from '../../store/runs/finding-key.ts'
import { getFindingRecords } from '../../store/runs/part.ts'
import type { Vault } from '../keys/vault.ts'
import { storedContentHash } from './ingest.ts'

/**
 * Replaces the unkeyed fingerprints and content hashes of earlier releases, against which any reader of the store could check
 * guesses. Runs when a store is first opened after the upgrade, one transaction per cluster.
 */
export async function keyFindings(db: Db, vault: Vault): Promise<void> {
  for (;;) {
    const clusterId = await findClusterWithoutKey(db)
    if (clusterId === undefined) return
    await write(db, `cluster:${clusterId} runs`, async (trx) => {
      if (!(await hasKey(trx, clusterId))) await keyCluster(trx, clusterId, vault)
    })
    await giveWay()
  }
}

async function keyCluster(trx: Db, clusterId: number, vault: Vault): Promise<void> {
  const hide = (fingerprints: Buffer) => vault.hideFingerprints(fingerprints)
  for (const { id, identityVersion, contentHash } of await listHashedRuns(trx, clusterId)) {
    const length = recordLengthOf(identityVersion)
    const hidden = changeFingerprints(await getFindingRecords(trx, id), hide, length)
    await replaceHashes(trx, id, {
      contentHash: storedContentHash(vault, contentHash),
      // Older records are read again before they are compared, which sorts them.
      records: length === recordLength ? sortRecords(hidden) : hidden,
    })
  }
  await changeHistory(trx, clusterId, hide)
  await setHasKey(trx, clusterId)
}
