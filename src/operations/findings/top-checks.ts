import { findingSeverities } from '../../contract/choices.ts'
import type { TopChecks } from '../../contract/finding.ts'
import type { FindingSeverity } from '../../contract/scan-finding.ts'
import type { Db } from '../../db/open.ts'
import { severityFor } from '../../reports/finding-index.ts'
import { checkAt, countAt, isUnlistedAt, offsetsIn, rankAt } from '../../reports/finding-records.ts'
import type { CheckGuidance } from '../../reports/guidance.ts'
import type { Ownership } from '../../reports/ownership.ts'
import { isOwnedBy, ownersOfRecords } from '../../reports/record-owners.ts'
import { toCoverage } from '../../reports/run-coverage.ts'
import { type RowsOfCheck, scoreGains, scoreOfRows } from '../../reports/score-gain.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'
import { slicePage } from '../../util/page.ts'
import type { Vault } from '../keys/vault.ts'
import { openGuidance } from '../runs/guidance.ts'
import { chooseLatestRuns, type RunChoice } from '../runs/latest.ts'
import { openFindings } from '../runs/open-findings.ts'
import type { Asking } from './accepting.ts'
import { noRank } from './candidates.ts'
import { findOwnershipFor } from './ownership.ts'

type TopCheck = TopChecks['items'][number]

interface Tally extends Omit<TopCheck, 'clusters' | 'severity'> {
  rank: number
  clusterIds: Set<number>
}

interface TopChoice extends RunChoice {
  /** Filters by the severity of a check's worst finding; undefined means all. */
  severities?: FindingSeverity[] | undefined
  /** Counts only findings of this owner as fixed. */
  owner?: string | undefined
  page: number
  perPage: number
}

/** Checks by how many points the mean score of the chosen runs would rise if they had no findings. */
export async function listTopChecks(
  db: Db,
  choice: TopChoice,
  { vault: openVault, now }: Omit<Asking, 'ownerId'>,
): Promise<TopChecks> {
  const runs = await chooseLatestRuns(db, choice)
  const vault = await openVault()
  const tallies = new Map<string, Tally>()
  const { owner } = choice
  const ownership = owner === undefined ? undefined : await findOwnershipFor(db, choice.ownerId, openVault)
  const ownScores: number[] = []
  let byFormula = 0
  for (const run of runs) {
    const guidance = await openGuidance(db, vault, run)
    const own = ownership && (await ownRowsFor(db, vault, { run, ownership, owner: owner! }))
    if (own) ownScores.push(scoreOfRows(guidance, own))
    const { basis, gains } = scoreGains(guidance, own)
    if (basis === 'formula') byFormula++
    for (const { check, points } of gains) {
      add(tallies, run, { check: own ? { ...check, rows: own(check) } : check, points: points / runs.length, basis })
    }
  }
  const { severities } = choice
  const chosen = [...tallies.values()].filter(
    ({ rank }) => !severities || (rank !== noRank && severities.includes(severityFor(rank))),
  )
  const all = chosen.sort((a, b) => b.points - a.points || (a.check_id < b.check_id ? -1 : 1))
  const scores = runs.flatMap(({ run }) => run.score ?? [])
  const page = slicePage(all, choice)
  return {
    ...page,
    items: page.items.map(toItem),
    mean_score: meanOf(scores),
    ...(ownership && { owner_score: meanOf(ownScores) }),
    runs_by_formula: byFormula,
    looked_at: toCoverage(runs, now),
  }
}

const toItem = ({ rank, clusterIds, points, ...check }: Tally): TopCheck => ({
  ...check,
  points: hundredths(points),
  severity: rank === noRank ? null : severityFor(rank),
  clusters: clusterIds.size,
})

const meanOf = (scores: number[]): number | null =>
  scores.length === 0 ? null : hundredths(scores.reduce((sum, score) => sum + score, 0) / scores.length)

/** Rows of each check that belong to an owner, by severity. */
async function ownRowsFor(
  db: Db,
  vault: Vault,
  { run, ownership, owner }: { run: LatestRun; ownership: Ownership; owner: string },
): Promise<RowsOfCheck> {
  const findings = await openFindings(db, vault, run)
  const { records, checks } = findings.index
  const offsets = offsetsIn(records)
  const listed = offsets.filter((at) => !isUnlistedAt(records, at))
  const owners = await ownersOfRecords(findings, ownership.in(run.run, findings), listed)
  const rows = new Map<string, number[]>()
  for (const at of listed) {
    if (!isOwnedBy(owners.get(at)!, owner)) continue
    const { id } = checks[checkAt(records, at)]!
    const own = rows.get(id) ?? rankNumbers.map(() => 0)
    own[rankAt(records, at)]! += countAt(records, at)
    rows.set(id, own)
  }
  return ({ id }) => rows.get(id) ?? []
}

const rankNumbers = findingSeverities.map((_, rank) => rank)

const hundredths = (number: number): number => Math.round(number * 100) / 100

function add(
  tallies: Map<string, Tally>,
  { clusterId, run }: LatestRun,
  { check, points, basis }: { check: CheckGuidance; points: number; basis: 'weights' | 'formula' },
): void {
  const key = `${run.format}\n${check.id}`
  const known = tallies.get(key)
  const tally: Tally = known ?? {
    check_id: check.id,
    check_name: check.name,
    format: run.format,
    points: 0,
    basis,
    rows: 0,
    recommendation: check.recommendation,
    url: check.url,
    rank: noRank,
    clusterIds: new Set(),
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
