import type { LatestRun } from '../../store/runs/latest-run.ts'
import { getFindingRecords } from '../../store/runs/part.ts'
import { openFindings } from '../runs/open-findings.ts'
import type { LookedAt } from './candidates.ts'
import { type EqualFindings, toCounts } from './run-counts.ts'
import { type RunGroup, type RunGroups, toGroups } from './run-groups.ts'
import { noChangeGaps, type SearchGaps } from './search-gaps.ts'
import type { SearchPlan } from './search-plan.ts'

/**
 * Of a run without an earlier one, where only changes are asked for: no more of it need be known than what it does not
 * list. Undefined for other runs.
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
  return toGroups(stored.run.run_id, () => openFindings(db, vault, stored))
}

export function equalsOf({ db }: SearchPlan, { stored }: LookedAt): Promise<EqualFindings[]> {
  return toCounts(stored.run.run_id, () => getFindingRecords(db, stored.id))
}

export const sumOf = (ranks: number[], counts: number[]): number => ranks.reduce((sum, rank) => sum + counts[rank]!, 0)
