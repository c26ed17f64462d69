import type { RunGroup } from '../../reports/run-counts.ts'
import type { LookedAt } from './candidates.ts'
import { noChangeGaps, type SearchGaps } from './search-gaps.ts'
import type { SearchPlan } from './search-plan.ts'

/**
 * Gaps of a run that is older than the time of news, if only changes are requested: only its unlisted rows matter. Undefined
 * for other runs.
 */
export async function gapsOfUnchanged(plan: SearchPlan, run: LookedAt): Promise<SearchGaps | undefined> {
  if (!plan.asksChanges || run.stored.at > plan.since) return undefined
  return { ...noChangeGaps, ...(await unlistedOf(plan, run)) }
}

export async function unlistedOf(plan: SearchPlan, run: LookedAt): Promise<Pick<SearchGaps, 'unlisted_rows'>> {
  const { ranks, checkGroup } = plan
  if (!checkGroup) {
    const own = (await plan.countsOf(run)).equals.filter(({ rank }) => ranks.includes(rank))
    return { unlisted_rows: own.reduce((sum, { unlistedRows }) => sum + unlistedRows, 0) }
  }
  const { check } = await plan.countsOf(run)
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

export const sumOf = (ranks: number[], counts: number[]): number => ranks.reduce((sum, rank) => sum + counts[rank]!, 0)
