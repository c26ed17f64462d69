import * as z from 'zod/mini'
import { LookedAt, SeenCluster } from '../answer-coverage.ts'
import { ApiKey, ApiKeyInput, CurrentKey, KeyScope } from '../api-key.ts'
import * as config from '../cluster-config.ts'
import * as report from '../cluster-report.ts'
import { Impact, ImpactItem } from '../impact.ts'
import { Label, LabelInput } from '../label.ts'
import * as project from '../project.ts'
import { Success } from '../route.ts'
import { routes } from '../routes.ts'
import { ScanSettings } from '../scan-settings.ts'
import { Severity } from '../shape.ts'
import * as subscription from '../subscription.ts'

const { aks, gke, eks, prometheus, output, radar } = ScanSettings.shape

/** Shapes that the document writes once, under the name that the field has for them, and refers to everywhere else. */
export const components = {
  Severity,
  CncfStatus: project.CncfStatus,
  ReleaseType: project.ReleaseType,
  Project: project.Project,
  ProjectDetail: project.ProjectDetail,
  ProjectPage: routes.listProjects.answer,
  ProjectAnswer: routes.getProject.answer,
  Release: project.Release,
  ReleasesByType: project.Project.shape.releases.def.innerType,
  ReleaseItem: project.ReleaseItem,
  ReleasePage: routes.listReleases.answer,
  RecentRelease: project.RecentRelease,
  RecentReleases: routes.getRecentReleases.answer,
  PopularProject: project.PopularProject,
  PopularProjects: routes.getPopularProjects.answer,
  Stats: project.Stats,
  NewRelease: project.NewRelease,
  AddedRelease: routes.addRelease.answer,
  ProjectInput: project.ProjectSync.shape.projects.def.element,
  ProjectSync: project.ProjectSync,
  ProjectSyncResult: routes.syncProjects.answer,
  ExistingReleases: routes.listExistingReleases.answer,

  FindingSeverity: report.FindingSeverity,
  ReportFormat: report.ReportFormat,
  Ci: report.Ci,
  Inventory: report.Inventory,
  UploadResult: report.UploadResult,
  FindingCounts: report.FindingCounts,
  CheckNotRun: report.CheckNotRun,
  Coverage: report.Coverage,
  Run: report.Run,
  RunPage: routes.listReports.answer,
  Finding: report.Finding,
  CountedFinding: report.CountedFinding,
  RegressedFinding: report.Comparison.shape.regressed_findings.def.element,
  ChangedFinding: report.ChangedFinding,
  SuppressedFinding: report.SuppressedFinding,
  IncomparableFindings: report.IncomparableFindings,
  FindingState: report.FindingState,
  ScopeChanges: report.ScopeChanges,
  Comparison: report.Comparison,
  Debt: report.Debt,
  TrendPoint: report.TrendPoint,
  ClusterTrend: report.ClusterTrend,
  Trend: report.Trends.def.options[0],
  TrendsByCluster: report.Trends.def.options[1],
  Trends: report.Trends,
  FreshnessStatus: report.FreshnessStatus,
  FreshnessCandidate: report.FreshnessCandidate,
  EndOfLife: report.Eol,
  FreshnessItem: report.FreshnessItem,
  Freshness: report.Freshness,
  ImpactItem,
  Impact,
  SeenCluster,
  LookedAt,

  Plan: subscription.Plan,
  EmailFrequency: subscription.EmailFrequency,
  Channel: subscription.ChannelName,
  Subscription: subscription.Subscription,
  SubscribedIds: routes.getMySubscriptions.answer,
  SubscriptionList: routes.listSubscriptions.answer,
  FeedItem: subscription.FeedItem,
  Feed: routes.getFeed.answer,
  Dashboard: subscription.Dashboard,
  Activity: routes.getDashboardActivity.answer,
  Delivery: subscription.DeliveryLog,
  DeliveryList: routes.getDashboardLogs.answer,
  SubscriptionToggle: routes.toggleSubscription.body,
  SubscriptionToggled: routes.toggleSubscription.answer,
  SubscriptionSettings: subscription.SubscriptionSettings,
  AccountSettings: subscription.AccountSettings,
  NotificationTest: routes.testNotification.body,
  NotificationTestResult: subscription.TestResult,
  NotificationTestResults: routes.testNotification.answer,
  DigestRequest: routes.triggerDigest.body,
  DigestResult: routes.triggerDigest.answer,

  Label,
  LabelInput,
  LabelList: routes.listLabels.answer,
  LabelCreated: routes.createLabel.answer,
  LabelAttachment: routes.attachLabels.body,

  KeyScope,
  ApiKey,
  ApiKeyInput,
  CurrentKey,
  ApiKeyList: routes.listKeys.answer,
  ApiKeyCreated: routes.createKey.answer,

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
  ScanProfileSaved: routes.createConfig.answer,
  ScanProfileSummary: config.ListedClusterConfig,
  ScanProfilePage: routes.listConfigs.answer,
  ScanCommand: config.ScanCommand,
  ConfigFile: config.ConfigFile,
  BootstrapCandidate: config.BootstrapCandidate,
  BootstrapCandidates: routes.listBootstrapCandidates.answer,
  BootstrapRequest: routes.bootstrapConfigs.body,
  BootstrapResult: routes.bootstrapConfigs.answer,

  Success,
} as const satisfies Record<string, z.ZodMiniType>

/** For zod, which puts shapes with an id apart. */
export const names = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(components)) names.add(schema as z.ZodMiniType, { id })
