import type { RiskPathOfRun, RiskPaths } from '../../contract/finding.ts'
import type { Db } from '../../db/open.ts'
import { toCoverage } from '../../reports/run-coverage.ts'
import { slicePage } from '../../util/page.ts'
import { formatTimestamp } from '../../util/time.ts'
import { openGuidance } from '../runs/guidance.ts'
import { chooseLatestRuns, type RunChoice } from '../runs/latest.ts'
import type { Asking } from './accepting.ts'

/** Risk paths of the chosen runs: open ones first, most urgent first. */
export async function listRiskPaths(
  db: Db,
  choice: RunChoice & { page: number; perPage: number },
  { vault: openVault, now }: Omit<Asking, 'ownerId'>,
): Promise<RiskPaths> {
  const runs = await chooseLatestRuns(db, choice)
  const vault = await openVault()
  const all: RiskPathOfRun[] = []
  const readiness: RiskPaths['aks_readiness'] = []
  let without = 0
  for (const stored of runs) {
    const { riskPaths, aksReadiness } = await openGuidance(db, vault, stored)
    const { run_id, cluster_name, environment } = stored.run
    const of = { cluster_name, environment, run_id, seen_at: formatTimestamp(stored.at) }
    if (riskPaths === null) without++
    for (const path of riskPaths ?? []) all.push({ ...path, ...of })
    if (aksReadiness) readiness.push({ ...aksReadiness, ...of })
  }
  all.sort((a, b) => urgencyFor(a) - urgencyFor(b))
  return {
    ...slicePage(all, choice),
    aks_readiness: readiness,
    runs_without_risk_paths: without,
    looked_at: toCoverage(runs, now),
  }
}

const priorities = ['urgent', 'critical', 'high', 'medium', 'low']

/** Lower is more urgent; a combined path comes before direct ones of the same priority. */
function urgencyFor({ is_open, fix_priority, kind }: RiskPathOfRun): number {
  const priority = priorities.indexOf(fix_priority?.toLowerCase() ?? '')
  return (is_open ? 0 : 100) + (priority < 0 ? priorities.length : priority) * 2 + (kind === 'combined' ? 0 : 1)
}
