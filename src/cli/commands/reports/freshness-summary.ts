import type { FreshnessStatus } from '../../../contract/freshness.ts'
import type { ReceivedFreshnessItem } from '../../../contract/received/cluster-report.ts'

/** How many artifacts have each status. */
export function summaryOf(items: ReceivedFreshnessItem[]): Record<FreshnessStatus, number> & { managed?: number } {
  const summary = { up_to_date: 0, minor_behind: 0, major_behind: 0, unknown: 0 }
  const managed = items.filter(({ vendor_component }) => vendor_component).length
  for (const { status, vendor_component } of items) if (!vendor_component) summary[status]++
  return { ...summary, ...(managed > 0 && { managed }) }
}
