import type { TopChecks } from '../../contract/finding.ts'
import type { FindingSeverity } from '../../contract/scan-finding.ts'
import type { Db } from '../../db/open.ts'
import { severityOf } from '../../reports/finding-index.ts'
import type { CheckGuidance } from '../../reports/guidance.ts'
import { coverageOf } from '../../reports/run-coverage.ts'
import { scoreGains } from '../../reports/score-gain.ts'
import type { LatestRun } from '../../store/runs/run.ts'
import type { Vault } from '../keys/vault.ts'
import { openGuidance } from '../runs/guidance.ts'
import { chooseLatestRuns, type RunChoice } from '../runs/latest.ts'
import { noRank } from './candidates.ts'

type TopCheck = TopChecks['items'][number]

interface Tally extends Omit<TopCheck, 'clusters' | 'severity'> {
  rank: number
  clusterIds: Set<number>
}

interface TopChoice extends RunChoice {
  /** Of the worst finding of a check; undefined means all. */
  severities?: FindingSeverity[] | undefined
  page: number
  perPage: number
}

/** Checks by the points that the mean score of the chosen runs would rise without their findings. */
export async function listTopChecks(
  db: Db,
  choice: TopChoice,
  { vault: openVault, now }: { vault: () => Promise<Vault>; now: number },
): Promise<TopChecks> {
  const runs = await chooseLatestRuns(db, choice, openVault)
  const vault = await openVault()
  const tallies = new Map<string, Tally>()
  let byFormula = 0
  for (const run of runs) {
    const { basis, gains } = scoreGains(await openGuidance(db, vault, run))
    if (basis === 'formula') byFormula++
    for (const { check, points } of gains) add(tallies, run, { check, points: points / runs.length, basis })
  }
  const { page, perPage, severities } = choice
  const chosen = [...tallies.values()].filter(
    ({ rank }) => !severities || (rank !== noRank && severities.includes(severityOf(rank))),
  )
  const all = chosen.sort((a, b) => b.points - a.points || (a.check_id < b.check_id ? -1 : 1))
  const scores = runs.flatMap(({ run }) => run.score ?? [])
  return {
    page,
    per_page: perPage,
    total: all.length,
    total_pages: Math.ceil(all.length / perPage),
    items: all.slice((page - 1) * perPage, page * perPage).map(({ rank, clusterIds, points, ...check }) => ({
      ...check,
      points: hundredths(points),
      severity: rank === noRank ? null : severityOf(rank),
      clusters: clusterIds.size,
    })),
    mean_score: scores.length === 0 ? null : hundredths(scores.reduce((sum, score) => sum + score, 0) / scores.length),
    runs_by_formula: byFormula,
    looked_at: coverageOf(runs, now),
  }
}

const hundredths = (number: number): number => Math.round(number * 100) / 100

function add(
  tallies: Map<string, Tally>,
  { clusterId, run }: LatestRun,
  { check, points, basis }: { check: CheckGuidance; points: number; basis: 'weights' | 'formula' },
): void {
  const key = `${run.format}\n${check.id}`
  const known = tallies.get(key)
  const tally: Tally = known ?? {
    ...{ check_id: check.id, check_name: check.name, format: run.format, points: 0, basis, rows: 0 },
    ...{ recommendation: check.recommendation, url: check.url, rank: noRank, clusterIds: new Set() },
  }
  tallies.set(key, tally)
  if (tally.basis !== basis) tally.basis = 'both'
  tally.points += points
  tally.rows += check.rows.reduce((sum, rows) => sum + rows, 0)
  tally.recommendation ??= check.recommendation
  tally.url ??= check.url
  const worst = check.rows.findIndex((rows) => rows > 0)
  if (worst >= 0) tally.rank = Math.min(tally.rank, worst)
  tally.clusterIds.add(clusterId)
}
