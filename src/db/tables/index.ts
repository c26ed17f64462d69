import type { AcceptedScopeTable } from './accepted-scope.ts'
import type { AdvisoryTable } from './advisory.ts'
import type { AffectedRangeTable } from './affected-range.ts'
import type { AgentClusterTable, AgentTable } from './agent.ts'
import type { AgentFileTable } from './agent-file.ts'
import type { AgentJobTable } from './agent-job.ts'
import type { AgentOccurrenceTable } from './agent-occurrence.ts'
import type { ApiKeyTable } from './api-key.ts'
import type { AuditTable } from './audit.ts'
import type { CatalogAdvisoryTable } from './catalog-advisory.ts'
import type { CatalogRevisionTable } from './catalog-revision.ts'
import type { ClusterTable } from './cluster.ts'
import type { ClusterConfigTable } from './cluster-config.ts'
import type { ClusterSummaryTable } from './cluster-summary.ts'
import type { CycleTable } from './cycle.ts'
import type { DataKeyTable } from './data-key.ts'
import type { DeliveryTable } from './delivery.ts'
import type { DeliveryHostTable } from './delivery-host.ts'
import type { DeliveryTargetTable } from './delivery-target.ts'
import type { DigestScheduleTable } from './digest-schedule.ts'
import type { EarlierFindingTable } from './earlier-finding.ts'
import type { EventTable } from './event.ts'
import type { EventLogTable } from './event-log.ts'
import type { ExceptionTable } from './exception.ts'
import type { FeedTable } from './feed.ts'
import type { FindingHistoryTable } from './finding-history.ts'
import type { KeyOriginTable } from './key-origin.ts'
import type { KnownAddressTable } from './known-address.ts'
import type { LabelTable } from './label.ts'
import type { MetaTable } from './meta.ts'
import type { OwnerTable } from './owner.ts'
import type { ProjectTable } from './project.ts'
import type { ProjectAdvisoryTable } from './project-advisory.ts'
import type { ProjectChartTable } from './project-chart.ts'
import type { ProjectImageTable } from './project-image.ts'
import type { ReleaseTable } from './release.ts'
import type { RunTable } from './run.ts'
import type { RunFindingTable } from './run-finding.ts'
import type { RunPartTable } from './run-part.ts'
import type { ScannerChangeTable } from './scanner-change.ts'
import type { ScannerSummaryTable } from './scanner-summary.ts'
import type { SessionTable } from './session.ts'
import type { SigningSecretTable } from './signing-secret.ts'
import type { SourceTable } from './source.ts'
import type { StateFactTable } from './state-fact.ts'
import type { SubscriptionTable } from './subscription.ts'
import type { SubscriptionLabelTable } from './subscription-label.ts'
import type { TeamTable } from './team.ts'
import type { TeamMemberTable } from './team-member.ts'
import type { UserTable } from './user.ts'
import type { WebhookTable } from './webhook.ts'

export interface Tables {
  meta: MetaTable
  user: UserTable
  team: TeamTable
  team_member: TeamMemberTable
  owner: OwnerTable
  api_key: ApiKeyTable
  key_origin: KeyOriginTable
  session: SessionTable
  known_address: KnownAddressTable
  feed: FeedTable
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
  catalog_revision: CatalogRevisionTable
  state_fact: StateFactTable
  subscription: SubscriptionTable
  webhook: WebhookTable
  signing_secret: SigningSecretTable
  label: LabelTable
  subscription_label: SubscriptionLabelTable
  delivery: DeliveryTable
  delivery_target: DeliveryTargetTable
  delivery_host: DeliveryHostTable
  digest_schedule: DigestScheduleTable
  event_log: EventLogTable
  cluster: ClusterTable
  cluster_summary: ClusterSummaryTable
  scanner_summary: ScannerSummaryTable
  scanner_change: ScannerChangeTable
  run: RunTable
  run_part: RunPartTable
  run_finding: RunFindingTable
  finding_history: FindingHistoryTable
  earlier_finding: EarlierFindingTable
  cluster_config: ClusterConfigTable
  agent_job: AgentJobTable
  agent_occurrence: AgentOccurrenceTable
  agent_file: AgentFileTable
  exception: ExceptionTable
  accepted_scope: AcceptedScopeTable
  agent: AgentTable
  agent_cluster: AgentClusterTable
  event: EventTable
}
