import { setImmediate as giveWay } from 'node:timers/promises'
import type { Db } from '../../db/open.ts'
import { identityVersion } from '../../reports/fingerprint.ts'
import { findOutdatedRuns } from '../../store/runs/identity.ts'
import { withCurrentKeys } from '../keys/stale-key.ts'
import type { Vault } from '../keys/vault.ts'

interface ReindexOptions {
  vault: () => Promise<Vault>
  /** All clusters if absent. */
  clusterId?: number | undefined
  onProgress?: (done: number, total: number) => void
  isStopping?: () => boolean
}

/**
 * Indexes runs again that were indexed by older rules, from their sealed reports, each in its own transaction: an
 * interruption loses nothing. Returns the number of indexed runs.
 */
export async function reindexRuns(db: Db, options: ReindexOptions): Promise<number> {
  const { clusterId, onProgress, isStopping } = options
  const outdated = await findOutdatedRuns(db, identityVersion, clusterId)
  if (outdated.length === 0) return 0
  // Loaded on demand, because it includes the readers of all formats.
  const { reindexRun } = await import('./reindex-run.ts')
  let done = 0
  for (const run of outdated) {
    if (isStopping?.()) break
    await withCurrentKeys(options.vault, async () => reindexRun(db, run, await options.vault()))
    done++
    onProgress?.(done, outdated.length)
    // SQLite queries block the thread: without a pause, requests would wait for the last run.
    await giveWay()
  }
  return done
}
