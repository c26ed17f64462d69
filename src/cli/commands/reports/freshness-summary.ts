import type { FreshnessStatus } from '../../../contract/cluster-report.ts'
import type { FreshnessItem } from '../../../contract/received/cluster-report.ts'

/** How many artifacts have each status. */
export function summaryOf(items: FreshnessItem[]): Record<FreshnessStatus, number> {
  const summary = { up_to_date: 0, minor_behind: 0, major_behind: 0, unknown: 0 }
  for (const { status } of items) summary[status]++
  return summary
}
