import { countAt, isUnlistedAt, rankAt, recordLength } from '../../reports/finding-records.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'
import { getFindingRecords } from '../../store/runs/part.ts'
import { RecentValues } from '../../util/recent-values.ts'
import { openFindings } from '../runs/open-findings.ts'
import type { LookedAt } from './candidates.ts'
import { type RunGroup, type RunGroups, toGroups } from './run-groups.ts'
import { noChangeGaps, type SearchGaps } from './search-gaps.ts'
import type { SearchPlan } from './search-plan.ts'

/**
 * Gaps of a run without an earlier one, if only changes are requested: only its unlisted rows matter. Undefined for other
 * runs.
 */
export async function gapsOfUnchanged(plan: SearchPlan, run: LookedAt): Promise<SearchGaps | undefined> {
  if (!plan.withEarlier || plan.withEarlier.has(run.stored.id)) return undefined
  return { ...noChangeGaps, ...(await unlistedOf(plan, run)), without_earlier_run: 1 }
}

export async function unlistedOf(plan: SearchPlan, run: LookedAt): Promise<Pick<SearchGaps, 'unlisted_rows'>> {
  const { ranks, checkGroup } = plan
  if (!checkGroup) {
    const own = (await equalsOf(plan, run)).filter(({ rank }) => ranks.includes(rank))
    return { unlisted_rows: own.reduce((sum, { unlistedRows }) => sum + unlistedRows, 0) }
  }
  const { check } = await readGroups(plan, run.stored)
  return {
    unlisted_rows: unlistedIn(
      check.filter(({ key }) => checkGroup.has(key)),
      ranks,
    ),
  }
}

export function unlistedIn(groups: RunGroup[], ranks: number[]): number {
  return groups.reduce((sum, { unlistedRows }) => sum + sumOf(ranks, unlistedRows), 0)
}

export function readGroups({ db, vault }: SearchPlan, stored: LatestRun): Promise<RunGroups> {
  return toGroups(keyOf(stored), () => openFindings(db, vault, stored))
}

const keyOf = ({ run, revision }: LatestRun): string => `${run.run_id} ${revision}`

/** Findings of a run with equal severity and row count. */
interface EqualFindings {
  rank: number
  /** Row count of each finding. */
  count: number
  findings: number
  /** Total rows of these findings that the report counts without listing. */
  unlistedRows: number
}

/** By run and its revision. */
const counted = new RecentValues<EqualFindings[]>(200_000)

/** Findings of a run by row count and severity. */
export async function equalsOf({ db }: SearchPlan, { stored }: LookedAt): Promise<EqualFindings[]> {
  const known = counted.get(keyOf(stored))
  if (known) return known
  const found = countRecords(await getFindingRecords(db, stored.id))
  counted.set(keyOf(stored), found, 1 + found.length)
  return found
}

function countRecords(records: Buffer): EqualFindings[] {
  const found = new Map<number, EqualFindings>()
  for (let at = 0; at < records.length; at += recordLength) {
    const [rank, count] = [rankAt(records, at), countAt(records, at)]
    const key = count * 8 + rank
    const equal = found.get(key) ?? { rank, count, findings: 0, unlistedRows: 0 }
    found.set(key, equal)
    equal.findings++
    if (isUnlistedAt(records, at)) equal.unlistedRows += count
  }
  return [...found.values()]
}

export const sumOf = (ranks: number[], counts: number[]): number => ranks.reduce((sum, rank) => sum + counts[rank]!, 0)
