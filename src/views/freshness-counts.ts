import type { FreshnessSummary } from '../contract/freshness.ts'
import type { ReceivedFreshness, ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { hasState } from '../lifecycle/has-state.ts'
import { isAffected, isNewestKnown, statusTone } from './artifact.ts'
import { hasBadState } from './state.ts'

/** Number of all running artifacts by status; an answer may list only some. */
export type FreshnessCounts = Record<Exclude<keyof FreshnessSummary, 'managed'>, number> & {
  managed?: number | undefined
}

export function countItems(items: ReceivedFreshnessItem[]): FreshnessCounts {
  const summary = { up_to_date: 0, minor_behind: 0, major_behind: 0, unknown: 0 }
  for (const { status, vendor_component } of items) if (!vendor_component) summary[status]++
  const many = (is: (item: ReceivedFreshnessItem) => boolean) => items.filter(is).length
  const managed = many(({ vendor_component }) => vendor_component === true)
  return {
    ...summary,
    ...(managed > 0 && { managed }),
    newest_known: many(isNewestKnown),
    artifacts: items.length,
    kubernetes: many(({ artifact_type }) => artifact_type === 'kubernetes'),
    affected: many(isAffected),
    exploited: many(({ advisories_exploited }) => (advisories_exploited ?? 0) > 0),
    compared: many(({ advisories_count }) => advisories_count !== null),
    undecided: many(
      ({ advisories_count, advisories_undecided }) => advisories_count === null || !!advisories_undecided,
    ),
    out_of_support: many(({ eol }) => eol?.is_eol === true),
    compromised: many((item) => hasState(item, 'compromised')),
    withdrawn: many((item) => hasState(item, 'withdrawn')),
    retired: many((item) => hasState(item, 'retired')),
    in_bad_state: many((item) => hasBadState(item) && !item.eol?.is_eol),
    current_in_state: many((item) => item.status === 'up_to_date' && !['good', 'soft'].includes(statusTone(item))),
  }
}

/** Counts from the server. For older servers, counts the items, which are then complete. */
export function toCounts({ summary, items }: Pick<ReceivedFreshness, 'summary' | 'items'>): FreshnessCounts {
  if (summary?.artifacts !== undefined) return summary as FreshnessCounts
  if (!summary) return countItems(items)
  const { up_to_date, minor_behind, major_behind, unknown, managed } = summary
  return { ...countItems(items), up_to_date, minor_behind, major_behind, unknown, managed }
}
