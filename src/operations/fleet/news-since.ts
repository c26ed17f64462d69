import type { Db } from '../../db/open.ts'
import type { ClusterFigures, ScannerFigures } from '../../store/fleet/figures.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { findRunsSince } from '../findings/run-changes.ts'
import type { Vault } from '../keys/vault.ts'
import { findChanges } from './refresh.ts'

/** A request that has compared this many runs compares those of no further cluster, whose figures are then unknown. */
const mostCompared = 200

/** Counts what is new since another time than that of the stored figures. */
export async function withNewsSince(
  db: Db,
  vault: Vault,
  { clusters, since }: { clusters: ClusterFigures[]; since: UnixSeconds },
) {
  const counted: ClusterFigures[] = []
  let compared = 0
  for (const cluster of clusters) {
    const isCounted = compared < mostCompared
    const scanners: ScannerFigures[] = []
    for (const { latest, changes } of cluster.scanners) {
      const runs = isCounted ? await findRunsSince(db, latest.rowId, since) : undefined
      if (!runs) scanners.push({ latest, changes: undefined })
      else if (changes && changes.from_run_id === (runs.from?.id ?? null)) scanners.push({ latest, changes })
      else {
        if (runs.from !== runs.to) compared++
        const { figures, ...news } = await findChanges(db, vault, runs)
        scanners.push({ latest, changes: figures, news })
      }
    }
    counted.push({ ...cluster, scanners, since: isCounted ? since : null })
  }
  return counted
}
