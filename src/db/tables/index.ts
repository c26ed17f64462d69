import type { ApiKeyTable, AuditTable, SessionTable } from './account.ts'
import type { AdvisoryTable, ProjectAdvisoryTable } from './advisory.ts'
import type { AffectedRangeTable, CatalogAdvisoryTable } from './catalog-advisory.ts'
import type { ClusterConfigTable } from './cluster-config.ts'
import type { CycleTable } from './cycle.ts'
import type { DataKeyTable } from './data-key.ts'
import type { ProjectChartTable, ProjectImageTable, ProjectTable } from './project.ts'
import type { ReleaseTable } from './release.ts'
import type { ClusterTable, FindingHistoryTable, RunFindingTable, RunPartTable, RunTable } from './run.ts'
import type { SourceTable } from './source.ts'
import type { DeliveryTable, LabelTable, SubscriptionLabelTable, SubscriptionTable } from './subscription.ts'
import type { MetaTable, UserTable } from './user.ts'
import type { WebhookTable } from './webhook.ts'

export interface Tables {
  meta: MetaTable
  user: UserTable
  api_key: ApiKeyTable
  session: SessionTable
  audit: AuditTable
  data_key: DataKeyTable
  project: ProjectTable
  project_image: ProjectImageTable
  project_chart: ProjectChartTable
  release: ReleaseTable
  source: SourceTable
  cycle: CycleTable
  project_advisory: ProjectAdvisoryTable
  advisory: AdvisoryTable
  catalog_advisory: CatalogAdvisoryTable
  affected_range: AffectedRangeTable
  subscription: SubscriptionTable
  webhook: WebhookTable
  label: LabelTable
  subscription_label: SubscriptionLabelTable
  delivery: DeliveryTable
  cluster: ClusterTable
  run: RunTable
  run_part: RunPartTable
  run_finding: RunFindingTable
  finding_history: FindingHistoryTable
  cluster_config: ClusterConfigTable
}
