/** Enumerations separate from the schemas, because help and completion need them without loading zod. */
export const cncfStatuses = ['graduated', 'incubating', 'sandbox', 'open-source'] as const
/** Display names of managed Kubernetes offerings and distributions, by id. */
export const offeringNames: Readonly<Record<string, string>> = {
  ack: 'ACK',
  aks: 'AKS',
  'aks-engine': 'AKS Engine',
  doks: 'DOKS',
  eks: 'EKS',
  'eks-distro': 'EKS Distro',
  gke: 'GKE',
  iks: 'IKS',
  k0s: 'k0s',
  k3s: 'K3s',
  kops: 'kOps',
  lke: 'LKE',
  oke: 'OKE',
  openshift: 'OpenShift',
  rke2: 'RKE2',
  talos: 'Talos',
}
export const releaseTypes = ['app', 'helm', 'pre'] as const
export const emailFrequencies = ['per_app', 'daily', 'weekly'] as const
export const providers = ['aks', 'eks', 'gke', 'kubernetes'] as const
export const freshnessStatuses = ['up_to_date', 'minor_behind', 'major_behind', 'unknown'] as const
/** Scanners with supported reports. */
const scanners = {
  kubebuddy: { findsVulnerabilities: false },
  trivy: { findsVulnerabilities: true },
  kubescape: { findsVulnerabilities: true },
  popeye: { findsVulnerabilities: false },
  polaris: { findsVulnerabilities: false },
  'kube-bench': { findsVulnerabilities: false },
  sarif: { findsVulnerabilities: true },
  'policy-report': { findsVulnerabilities: true },
  inventory: { findsVulnerabilities: false },
}
export const reportFormats = Object.keys(scanners) as (keyof typeof scanners)[]
/** `unknown`: the report was not understood and is stored as it is. */
export const runFormats = [...reportFormats, 'unknown'] as const
/** Whether a scanner reports vulnerabilities. */
export const findsVulnerabilities = (format: (typeof runFormats)[number]) =>
  format !== 'unknown' && scanners[format].findsVulnerabilities
export const severities = ['none', 'low', 'medium', 'high', 'critical'] as const
export const roles = ['user', 'admin'] as const
export const keyScopes = ['all', 'read', 'upload', 'metrics'] as const
/** Atom feeds, and an iCalendar feed for support ends. */
export const exceptionStates = ['active', 'expired'] as const
/** OpenVEX justifications: reasons why a product with a vulnerable component is not affected. */
export const vexJustifications = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const
/** Roles of team members; each includes the permissions of the previous ones. */
export const teamRoles = ['viewer', 'member', 'owner'] as const
/** Instead of a team name: the caller's own account. */
export const ownAccount = 'me'

/** Parts of a scan that Trivy leaves out of a report without results. */
export const lookedAtParts = ['vuln', 'misconfig', 'secret'] as const

/** Why something that a rule asks for is not known. */
export const gapStates = ['forbidden', 'failed', 'left_out', 'unknown'] as const
export const gateVerdicts = ['passed', 'failed', 'undecided'] as const
/** Why a cluster needs attention, the most urgent first. `new` includes regressed findings. */
export const clusterAttention = [
  'compromised',
  'exploited',
  'gate_failed',
  'new_critical',
  'overdue',
  'no_scan',
  'stale_scan',
  'affected_critical',
  'new_high',
  'support_ended',
  'retired',
  'gate_undecided',
  'checks_not_run',
  'scope_reduced',
  'score_fell',
  'new_findings',
  'affected_high',
  'support_ending',
  'major_behind',
] as const
export const clusterOrders = ['urgency', 'name', 'score', 'last_scan'] as const

/** Stands for "no limit" in integer fields: the largest value that every client supports. */
export const unlimited = 2_147_483_647
/** Worst first. `unknown`: the report has no severity in a form that relt knows. */
export const findingSeverities = ['critical', 'high', 'medium', 'low', 'info', 'unknown'] as const

/** Severities that rules, thresholds and ratings can use. */
export const ratedSeverities = ['critical', 'high', 'medium', 'low', 'info'] as const

/** States of findings in a latest run; `open`: neither new nor regressed, `accepted`: by an active exception. */
export const findingStates = ['new', 'regressed', 'open', 'accepted', 'suppressed', 'not-run'] as const
/** Filters and sort order of artifacts in freshness answers. */
export const freshnessChoices = [...freshnessStatuses, 'managed', 'affected', 'out_of_support'] as const
export const freshnessOrders = ['status', 'urgency'] as const

export const findingGroupings = ['check', 'namespace', 'resource', 'severity', 'cluster', 'owner'] as const
export const findingOrders = ['severity', 'check', 'namespace', 'cluster', 'count', 'first-seen'] as const

/** How an occurrence of an agent's job ended. */
export const jobOutcomes = ['done', 'failed', 'skipped', 'missed'] as const

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

export const fleetReports = ['off', 'weekly'] as const

/** Cluster events that an account can be notified of. */
export const clusterEvents = [
  'artifact.compromised',
  'cluster.silent',
  'exception.expires',
  'gate.failed',
  'report.regressed',
  'support.ends',
] as const
export type ClusterEvent = (typeof clusterEvents)[number]

/** States of a message in the outbox; the last four are final. */
export const deliveryStates = ['pending', 'sending', 'failed', 'delivered', 'accepted', 'dead', 'skipped'] as const

/** Event types in a message to one receiver. */
export const eventTypes = [
  'release.published',
  'release.promoted',
  'release.security',
  'artifact.compromised',
  'report.regressed',
  'gate.failed',
  'cluster.silent',
  'support.ends',
  'exception.expires',
  'target.disabled',
  'fleet.report',
  'digest',
  'test',
] as const
export type EventType = (typeof eventTypes)[number]

/** Evidence for the use of an API version. */
export const apiWitnesses = ['managedFields', 'storedVersions', 'metrics'] as const
