import type { Generated } from 'kysely'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import type { Sealed } from '../../util/seal.ts'
import type { UnixSeconds } from '../../util/time.ts'

/**
 * What scans of a cluster by one scanner are expected to look at: see `reports/accepted-scope.ts`. Sealed, since checks and
 * namespaces name resources. Clusters that became one have a row each, until the next upload joins them.
 */
export interface AcceptedScopeTable {
  id: Generated<number>
  /** `scope_…`, which its seal is bound to. */
  scope_id: string
  cluster_id: number
  format: ReportFormat
  /** The run whose scope was accepted, when, and by which login; null: nobody has accepted one. */
  run_id: string | null
  accepted_at: UnixSeconds | null
  accepted_by: string | null
  key_id: string
  sealed: Sealed
}
