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

const shapes = {
  Severity,
  CncfStatus: project.CncfStatus,
  ReleaseType: project.ReleaseType,
  Project: project.Project,
  ProjectDetail: project.ProjectDetail,
  Release: project.Release,
  ReleasesByType: project.Project.shape.releases.def.innerType,
  ReleaseItem: project.ReleaseItem,
  RecentRelease: project.RecentRelease,
  PopularProject: project.PopularProject,
  Stats: project.Stats,
  NewRelease: project.NewRelease,
  ProjectInput: project.ProjectSync.shape.projects.def.element,
  ProjectSync: project.ProjectSync,

  FindingSeverity: finding.FindingSeverity,
  ReportFormat: finding.ReportFormat,
  Ci: report.Ci,
  Inventory: report.Inventory,
  UploadResult: report.UploadResult,
  AcceptedScope: report.AcceptedScope,
  AcceptScope: report.AcceptScope,
  ScopeAcceptance: report.ScopeAcceptance,
  FindingCounts: finding.FindingCounts,
  CheckNotRun: report.CheckNotRun,
  Coverage: freshness.Coverage,
  Run: report.Run,
  Finding: finding.Finding,
  CountedFinding: report.CountedFinding,
  RegressedFinding: report.Comparison.shape.regressed_findings.def.element,
  ChangedFinding: report.ChangedFinding,
  SuppressedFinding: report.SuppressedFinding,
  IncomparableFindings: report.IncomparableFindings,
  FindingState: report.FindingState,
  RenamedWorkload: report.RenamedWorkload,
  ScopeChanges: report.ScopeChanges,
  Comparison: report.Comparison,
  Debt: report.Debt,
  TrendPoint: report.TrendPoint,
  CheckTrend: report.CheckTrend,
  ClusterTrend: report.ClusterTrend,
  Trend: report.Trends.def.options[0],
  TrendsByCluster: report.Trends.def.options[1],
  Trends: report.Trends,
  FreshnessStatus: freshness.FreshnessStatus,
  FreshnessCandidate: freshness.FreshnessCandidate,
  EndOfLife: Eol,
  NodeComponent: NodeComponent,
  CustomResource: CustomResource,
  ClusterProfile: ClusterProfile,
  FreshnessItem: freshness.FreshnessItem,
  Freshness: freshness.Freshness,
  FindingListItem: found.FindingListItem,
  FindingGroup: found.FindingGroup,
  FindingCoverage: found.FindingCoverage,
  FindingPage: found.Findings,
  TopCheck: found.TopCheck,
  TopChecks: found.TopChecks,
  RiskPath: risk.RiskPath,
  RiskPathChanges: risk.RiskPathChanges,
  AksReadiness: risk.AksReadiness,
  AksReadinessChange: risk.ReadinessChange,
  RiskPathPage: found.RiskPaths,
  RunsCoverage: found.RunsCoverage,
  FindingOccurrence: found.FindingOccurrence,
  FindingDetails: found.FindingDetails,
  Exception: exception.StoredException,
  ExceptionInput: exception.ExceptionInput,
  GatePolicy: gatePolicy.StoredPolicy,
  GatePolicyInput: gatePolicy.PolicyInput,
  OwnerLabel: ownership.OwnerLabel,
  OwnerRule: ownership.OwnerRule,
  Owners: ownership.OwnerRules,
  OwnersInput: ownership.OwnerRulesInput,
  Team: team.TeamDetails,
  TeamNotifications: team.TeamNotifications,
  FollowedProject: team.FollowedProject,
  TeamRole: team.TeamRole,
  TeamMemberInput: team.TeamMemberInput,
  TeamRoleInput: team.TeamRoleInput,
  Cluster: cluster.FleetCluster,
  ClusterRun: cluster.FleetCluster.shape.latest_run.def.innerType,
  ClusterChanges: cluster.ClusterChanges,
  ClusterFreshness: cluster.ClusterFreshness,
  ClusterAttention: cluster.Attention,
  ClusterChange: cluster.ClusterChange,
  FleetSummary: cluster.FleetSummary,
  GateVerdict: gate.GateVerdict,
  RunGate: gate.RunGate,
  PolicyVerdict: gate.PolicyVerdict,
  GateRecord: gate.GateRecord,
  FailingSource: cluster.FailingSource,
  ServiceStatus: cluster.ServiceStatus,
  ClusterVersion: cluster.ClusterVersion,
  ClusterVersions: cluster.ClusterVersions,
  ClusterDifference: cluster.ClusterDifference,
  ComparedCluster: cluster.ClusterComparison.shape.from,
  ClusterComparison: cluster.ClusterComparison,

  ImpactItem,
  Impact,
  SeenCluster,
  AnswerCoverage,

  Plan: subscription.Plan,
  EmailFrequency: subscription.EmailFrequency,
  Channel: subscription.NotificationChannel,
  Subscription: subscription.Subscription,
  FeedItem: subscription.FeedItem,
  Dashboard: subscription.Dashboard,
  Delivery: subscription.DeliveryLog,
  DeliveryRecord: delivery.DeliveryRecord,
  DeliveryEvent: delivery.DeliveryEvent,
  DeliveryState: delivery.DeliveryState,
  DeliveryKind: subscription.DeliveryKind,
  RehearsalRequest: delivery.RehearsalRequest,
  RehearsalSettings: delivery.RehearsalSettings,
  Rehearsal: delivery.Rehearsal,
  SubscriptionSettings: subscription.SubscriptionSettings,
  AccountSettings: subscription.AccountSettings,
  NotificationTestResult: subscription.TestResult,

  Label,
  LabelInput,

  KeyScope,
  ApiKey,
  ApiKeyInput,
  CurrentKey,

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
  ScanCommand: config.ScanCommand,
  ConfigFile: config.ConfigFile,
  BootstrapCandidate: config.BootstrapCandidate,

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
