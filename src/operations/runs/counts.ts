import type { Db } from '../../db/open.ts'
import { countFindings, type RunCounts } from '../../reports/run-counts.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'
import { getParts, type SealedPart } from '../../store/runs/part.ts'
import { pack } from '../../util/pack.ts'
import { RecentValues } from '../../util/recent-values.ts'
import type { Vault } from '../keys/vault.ts'
import { openPart } from './context.ts'

export const sealCounts = (vault: Vault, runId: string, index: Omit<RunFindings['index'], 'suppressed'>): SealedPart =>
  vault.seal(runId, 'counts', 0, pack(JSON.stringify(countFindings(index))))

/** By run and its revision: unpacking those of a thousand clusters takes longer than the rest of an answer. */
const opened = new RecentValues<RunCounts>(200_000)

/** Reads the counts of some of these runs; those of all with the first. */
export function countsReader(db: Db, vault: Vault, runs: LatestRun[]) {
  const keyOf = ({ run, revision }: LatestRun) => `${run.run_id} ${revision}`
  let parts: Promise<Map<number, SealedPart>> | undefined
  return async ({ stored }: { stored: LatestRun }): Promise<RunCounts> => {
    const known = opened.get(keyOf(stored))
    if (known) return known
    parts ??= getParts(
      db,
      runs.map(({ id }) => id),
      'counts',
    )
    const counts = openPart<RunCounts>(vault, stored.run.run_id, (await parts).get(stored.id)!)
    opened.set(keyOf(stored), counts, 1 + counts.check.length + counts.namespace.length + counts.equals.length)
    return counts
  }
}
