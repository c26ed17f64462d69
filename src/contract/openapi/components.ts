import * as z from 'zod/mini'
import { AnswerCoverage, SeenCluster } from '../answer-coverage.ts'
import { ApiKey, ApiKeyInput, CurrentKey, KeyScope } from '../api-key.ts'
import * as cluster from '../cluster.ts'
import * as config from '../cluster-config.ts'
import { ClusterProfile } from '../cluster-profile.ts'
import * as report from '../cluster-report.ts'
import { CustomResource } from '../custom-resource.ts'
import * as delivery from '../delivery.ts'
import { Eol } from '../eol.ts'
import * as exception from '../exception.ts'
import * as found from '../finding.ts'
import * as freshness from '../freshness.ts'
import * as gatePolicy from '../gate-policy.ts'
import * as gate from '../gate-verdict.ts'
import { Impact, ImpactItem } from '../impact.ts'
import { Label, LabelInput } from '../label.ts'
import { NodeComponent } from '../node.ts'
import * as ownership from '../ownership.ts'
import * as project from '../project.ts'
import * as risk from '../risk-path.ts'
import { type Route, Success } from '../route.ts'
import { routes } from '../routes.ts'
import * as finding from '../scan-finding.ts'
import { ScanSettings } from '../scan-settings.ts'
import { Severity } from '../shape.ts'
import * as subscription from '../subscription.ts'
import * as team from '../team.ts'

const { aks, gke, eks, prometheus, output, radar } = ScanSettings.shape

/** Picks members of a module under their own names. */
function pick<T, const N extends readonly (keyof T)[]>(from: T, names: N): Pick<T, N[number]> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, N[number]>
}

const shapes = {
  Severity,
  ...pick(project, ['CncfStatus', 'ReleaseType', 'Project', 'ProjectDetail', 'Release']),
  ReleasesByType: project.Project.shape.releases.def.innerType,
  ...pick(project, ['ReleaseItem', 'RecentRelease', 'PopularProject', 'Stats', 'NewRelease']),
  ProjectInput: project.ProjectSync.shape.projects.def.element,
  ProjectSync: project.ProjectSync,

  ...pick(finding, ['FindingSeverity', 'ReportFormat']),
  ...pick(report, ['Ci', 'Inventory', 'UploadResult', 'AcceptedScope', 'AcceptScope', 'ScopeAcceptance']),
  FindingCounts: finding.FindingCounts,
  CheckNotRun: report.CheckNotRun,
  Coverage: freshness.Coverage,
  Run: report.Run,
  Finding: finding.Finding,
  CountedFinding: report.CountedFinding,
  RegressedFinding: report.Comparison.shape.regressed_findings.def.element,
  ...pick(report, ['ChangedFinding', 'SuppressedFinding', 'IncomparableFindings', 'FindingState', 'RenamedWorkload']),
  ...pick(report, ['ScopeChanges', 'Comparison', 'Debt', 'TrendPoint', 'CheckTrend', 'ClusterTrend']),
  Trend: report.Trends.def.options[0],
  TrendsByCluster: report.Trends.def.options[1],
  Trends: report.Trends,
  ...pick(freshness, ['FreshnessStatus', 'FreshnessCandidate']),
  EndOfLife: Eol,
  ...{ NodeComponent, CustomResource, ClusterProfile },
  ...pick(freshness, ['FreshnessItem', 'Freshness']),
  ...pick(found, ['FindingListItem', 'FindingGroup', 'FindingCoverage']),
  FindingPage: found.Findings,
  ...pick(found, ['TopCheck', 'TopChecks']),
  ...pick(risk, ['RiskPath', 'RiskPathChanges', 'AksReadiness']),
  AksReadinessChange: risk.ReadinessChange,
  RiskPathPage: found.RiskPaths,
  ...pick(found, ['RunsCoverage', 'FindingOccurrence', 'FindingDetails']),
  Exception: exception.StoredException,
  ExceptionInput: exception.ExceptionInput,
  GatePolicy: gatePolicy.StoredPolicy,
  GatePolicyInput: gatePolicy.PolicyInput,
  ...pick(ownership, ['OwnerLabel', 'OwnerRule']),
  Owners: ownership.OwnerRules,
  OwnersInput: ownership.OwnerRulesInput,
  Team: team.TeamDetails,
  ...pick(team, ['TeamNotifications', 'FollowedProject', 'TeamRole', 'TeamMemberInput', 'TeamRoleInput']),
  Cluster: cluster.FleetCluster,
  ClusterRun: cluster.FleetCluster.shape.latest_run.def.innerType,
  ...pick(cluster, ['ClusterChanges', 'ClusterFreshness']),
  ClusterAttention: cluster.Attention,
  ...pick(cluster, ['ClusterChange', 'FleetSummary']),
  ...pick(gate, ['GateVerdict', 'RunGate', 'PolicyVerdict', 'GateRecord']),
  ...pick(cluster, ['FailingSource', 'ServiceStatus', 'ClusterVersion', 'ClusterVersions', 'ClusterDifference']),
  ComparedCluster: cluster.ClusterComparison.shape.from,
  ClusterComparison: cluster.ClusterComparison,

  ...{ ImpactItem, Impact, SeenCluster, AnswerCoverage },

  ...pick(subscription, ['Plan', 'EmailFrequency']),
  Channel: subscription.NotificationChannel,
  ...pick(subscription, ['Subscription', 'FeedItem', 'Dashboard']),
  Delivery: subscription.DeliveryLog,
  ...pick(delivery, ['DeliveryRecord', 'DeliveryEvent', 'DeliveryState']),
  DeliveryKind: subscription.DeliveryKind,
  ...pick(delivery, ['RehearsalRequest', 'RehearsalSettings', 'Rehearsal']),
  ...pick(subscription, ['SubscriptionSettings', 'AccountSettings']),
  NotificationTestResult: subscription.TestResult,

  ...{ Label, LabelInput, KeyScope, ApiKey, ApiKeyInput, CurrentKey },

  Provider: config.Provider,
  AksSettings: aks.def.innerType,
  GkeSettings: gke.def.innerType,
  EksSettings: eks.def.innerType,
  PrometheusSettings: prometheus.def.innerType,
  OutputSettings: output.def.innerType,
  RadarSettings: radar.def.innerType,
  ScanSettings,
  ScanProfile: config.ClusterConfig,
  ScanProfileInput: config.ClusterConfigInput,
  ScanProfileChange: config.ClusterConfigChange,
  ScanProfileSummary: config.ListedClusterConfig,
  ...pick(config, ['ScanCommand', 'ConfigFile', 'BootstrapCandidate']),

  Success,
} as const satisfies Record<string, z.ZodMiniType>

/** Schemas that the document defines once, under their common field name, and references elsewhere. */
export const components: Record<string, z.ZodMiniType> = { ...shapes, ...shapesOfRoutes() }

function shapesOfRoutes(): Record<string, z.ZodMiniType> {
  const named = Object.values<Route>(routes).flatMap(({ components = {}, body, answer }) => [
    [components.body, body] as const,
    [components.answer, answer] as const,
  ])
  return Object.fromEntries(named.flatMap(([name, shape]) => (name && shape ? [[name, shape]] : [])))
}

/** Registers ids, which make zod emit these schemas separately. */
export const names = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(components)) names.add(schema, { id })
