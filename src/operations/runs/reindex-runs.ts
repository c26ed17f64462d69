import { setImmediate as giveWay } from 'node:timers/promises'
import type { Db } from '../../db/open.ts'
import { identityVersion } from '../../reports/fingerprint.ts'
import { findOutdatedRuns } from '../../store/runs/identity.ts'
import { withCurrentKeys } from '../keys/stale-key.ts'
import type { Vault } from '../keys/vault.ts'

interface ReindexOptions {
  vault: () => Promise<Vault>
  /** All clusters when not given. */
  clusterId?: number | undefined
  onProgress?: (done: number, total: number) => void
  isStopping?: () => boolean
}

/**
 * Runs that were indexed by older rules are read again from their sealed reports, each in a transaction of its own: what
 * was done stays done when this ends early. Returns how many were indexed.
 */
export async function reindexRuns(db: Db, options: ReindexOptions): Promise<number> {
  const { clusterId, onProgress, isStopping } = options
  const outdated = await findOutdatedRuns(db, identityVersion, clusterId)
  if (outdated.length === 0) return 0
  // With the readers of all formats, which few commands need.
  const { reindexRun } = await import('./reindex-run.ts')
  let done = 0
  for (const run of outdated) {
    if (isStopping?.()) break
    await withCurrentKeys(options.vault, async () => reindexRun(db, run, await options.vault()))
    done++
    onProgress?.(done, outdated.length)
    // The store answers without leaving the thread: requests would wait for the last run.
    await giveWay()
  }
  return done
}
