import * as z from 'zod/mini'
import { AnswerCoverage, SeenCluster } from '../answer-coverage.ts'
import { ApiKey, ApiKeyInput, CurrentKey, KeyScope } from '../api-key.ts'
import * as cluster from '../cluster.ts'
import * as config from '../cluster-config.ts'
import * as report from '../cluster-report.ts'
import * as delivery from '../delivery.ts'
import { Eol } from '../eol.ts'
import * as exception from '../exception.ts'
import * as found from '../finding.ts'
import * as freshness from '../freshness.ts'
import * as gateBaseline from '../gate-baseline.ts'
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

const { CncfStatus, ReleaseType, Project, ProjectDetail, Release, ReleaseItem, RecentRelease } = project
const { PopularProject, Stats, NewRelease } = project
const { FindingSeverity, ReportFormat } = finding
const { Ci, Inventory, UploadResult, EndedSubject, EndSubject, ChangedFinding } = report
const { HeldBack, RuleBaseline, TakeInRun, TakenIn } = gateBaseline
const { SuppressedFinding, IncomparableFindings, FindingState, RenamedWorkload, ScopeChanges, Comparison } = report
const { TrendPoint, CheckTrend, ClusterTrend } = report
const { FreshnessStatus, FreshnessCandidate, FreshnessItem, Freshness } = freshness
const { FindingListItem, FindingGroup, FindingCoverage, TopCheck, TopChecks, RunsCoverage, FindingOccurrence } = found
const { FindingDetails, SplitWorkload, WorkloadSplit } = found
const { RiskPath, RiskPathChanges, AksReadiness } = risk
const { OwnerLabel, OwnerRule } = ownership
const { TeamNotifications, FollowedProject, TeamRole, TeamMemberInput, TeamRoleInput } = team
const { ClusterChanges, ClusterFreshness, ClusterChange, FleetSummary, FailingSource, ServiceStatus } = cluster
const { ClusterVersion, ClusterVersions, ClusterDifference } = cluster
const { GateVerdict, RunGate, PolicyVerdict, GateRecord } = gate
const { Plan, EmailFrequency, Subscription, FeedItem, Dashboard, SubscriptionSettings } = subscription
const { AccountSettings } = subscription
const { DeliveryRecord, DeliveryEvent, DeliveryState } = delivery
const { ScanCommand, ConfigFile, BootstrapCandidate } = config

const shapes = {
  Severity,
  CncfStatus,
  ReleaseType,
  Project,
  ProjectDetail,
  Release,
  ReleasesByType: project.Project.shape.releases.def.innerType,
  ReleaseItem,
  RecentRelease,
  PopularProject,
  Stats,
  NewRelease,
  ProjectInput: project.ProjectSync.shape.projects.def.element,
  ProjectSync: project.ProjectSync,

  FindingSeverity,
  ReportFormat,
  Ci,
  Inventory,
  UploadResult,
  EndedSubject,
  EndSubject,
  HeldBack,
  RuleBaseline,
  TakeInRun,
  TakenIn,
  FindingCounts: finding.FindingCounts,
  CheckNotRun: report.CheckNotRun,
  Coverage: freshness.Coverage,
  Run: report.Run,
  Finding: finding.Finding,
  CountedFinding: report.CountedFinding,
  RegressedFinding: report.Comparison.shape.regressed_findings.def.element,
  ChangedFinding,
  SuppressedFinding,
  IncomparableFindings,
  FindingState,
  RenamedWorkload,
  ScopeChanges,
  Comparison,
  TrendPoint,
  CheckTrend,
  ClusterTrend,
  Trend: report.Trends.def.options[0],
  TrendsByCluster: report.Trends.def.options[1],
  Trends: report.Trends,
  FreshnessStatus,
  FreshnessCandidate,
  EndOfLife: Eol,
  NodeComponent,
  FreshnessItem,
  Freshness,
  FindingListItem,
  FindingGroup,
  FindingCoverage,
  FindingPage: found.Findings,
  TopCheck,
  TopChecks,
  RiskPath,
  RiskPathChanges,
  AksReadiness,
  AksReadinessChange: risk.ReadinessChange,
  RiskPathPage: found.RiskPaths,
  RunsCoverage,
  FindingOccurrence,
  FindingDetails,
  SplitWorkload,
  WorkloadSplit,
  Exception: exception.StoredException,
  ExceptionInput: exception.ExceptionInput,
  GatePolicy: gatePolicy.StoredPolicy,
  GatePolicyInput: gatePolicy.PolicyInput,
  OwnerLabel,
  OwnerRule,
  Owners: ownership.OwnerRules,
  OwnersInput: ownership.OwnerRulesInput,
  Team: team.TeamDetails,
  TeamNotifications,
  FollowedProject,
  TeamRole,
  TeamMemberInput,
  TeamRoleInput,
  Cluster: cluster.FleetCluster,
  ClusterRun: cluster.FleetCluster.shape.latest_run.def.innerType,
  ClusterChanges,
  ClusterFreshness,
  ClusterAttention: cluster.Attention,
  ClusterChange,
  FleetSummary,
  GateVerdict,
  RunGate,
  PolicyVerdict,
  GateRecord,
  FailingSource,
  ServiceStatus,
  ClusterVersion,
  ClusterVersions,
  ClusterDifference,
  ComparedCluster: cluster.ClusterComparison.shape.from,
  ClusterComparison: cluster.ClusterComparison,

  ImpactItem,
  Impact,
  SeenCluster,
  AnswerCoverage,

  Plan,
  EmailFrequency,
  Channel: subscription.NotificationChannel,
  Subscription,
  FeedItem,
  Dashboard,
  Delivery: subscription.DeliveryLog,
  DeliveryRecord,
  DeliveryEvent,
  DeliveryState,
  DeliveryKind: subscription.DeliveryKind,
  SubscriptionSettings,
  AccountSettings,
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
  ScanCommand,
  ConfigFile,
  BootstrapCandidate,

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
