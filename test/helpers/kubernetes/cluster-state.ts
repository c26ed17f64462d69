/** A resource of the double. */
export interface Resource {
  group: string
  version: string
  plural: string
  kind: string
  namespaced: boolean
  /** Objects of a typed list say neither their kind nor their version. Those of a custom resource do. */
  typed: boolean
}

interface Rule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
  /** A Role in these namespaces; without them a ClusterRole. */
  namespaces?: string[]
}

export interface KubernetesObject {
  kind?: string
  apiVersion?: string
  metadata: { name: string; namespace?: string; [member: string]: unknown }
  [member: string]: unknown
}

/** A cluster as the double of its API server knows it. */
export interface ClusterState {
  version: string
  /** Besides those that each cluster has. */
  resources: Resource[]
  /** By `plural.group`, or `plural` of the core group. */
  objects: Record<string, KubernetesObject[]>
  /** Of the account that asks; undefined: all is allowed, as to a cluster's admin. */
  rules?: Rule[]
  /** The API server does not know the account. */
  unknownAccount?: boolean
  /** The API server closes each connection. */
  isGone?: boolean
  /** Something else answers at the address. */
  isAnother?: boolean
  /** Groups of API servers of their own that do not answer. */
  down?: string[]
  /** Resources of which a list does not answer. */
  hangs?: string[]
  /** How many requests are put off with 429. */
  throttles?: number
  /** Resources of which the next pages are forgotten (410), and how often. */
  forgets?: Record<string, number>
  /** Unix seconds; reports whose time to live is over are gone. */
  now?: number
}

const builtIn = (group: string, version: string, kinds: Record<string, string>, namespaced = true): Resource[] =>
  Object.entries(kinds).map(([plural, kind]) => ({ group, version, plural, kind, namespaced, typed: true }))

/** What each API server has, as far as anything here asks for it. */
export const builtInResources: Resource[] = [
  ...builtIn('', 'v1', {
    pods: 'Pod',
    replicationcontrollers: 'ReplicationController',
    secrets: 'Secret',
    configmaps: 'ConfigMap',
    services: 'Service',
    serviceaccounts: 'ServiceAccount',
    events: 'Event',
    endpoints: 'Endpoints',
    limitranges: 'LimitRange',
    resourcequotas: 'ResourceQuota',
    persistentvolumeclaims: 'PersistentVolumeClaim',
  }),
  ...builtIn('', 'v1', { namespaces: 'Namespace', nodes: 'Node', persistentvolumes: 'PersistentVolume' }, false),
  ...builtIn('apps', 'v1', {
    deployments: 'Deployment',
    replicasets: 'ReplicaSet',
    statefulsets: 'StatefulSet',
    daemonsets: 'DaemonSet',
  }),
  ...builtIn('apiextensions.k8s.io', 'v1', { customresourcedefinitions: 'CustomResourceDefinition' }, false),
  ...builtIn('batch', 'v1', { jobs: 'Job', cronjobs: 'CronJob' }),
]

/** `pods`, `deployments.apps`. */
export const toKey = ({ plural, group }: Pick<Resource, 'plural' | 'group'>): string =>
  group === '' ? plural : `${plural}.${group}`

function customResource(group: string, version: string, kind: string, more: Partial<Resource> = {}): Resource {
  return { group, version, plural: `${kind.toLowerCase()}s`, kind, namespaced: true, typed: false, ...more }
}

const trivy = 'aquasecurity.github.io'
export const trivyResources: Resource[] = [
  ...[
    'VulnerabilityReport',
    'ConfigAuditReport',
    'ExposedSecretReport',
    'RbacAssessmentReport',
    'InfraAssessmentReport',
  ],
  ...['ClusterRbacAssessmentReport', 'ClusterConfigAuditReport', 'ClusterInfraAssessmentReport'],
  ...['ClusterVulnerabilityReport', 'ClusterComplianceReport'],
].map((kind) => customResource(trivy, 'v1alpha1', kind, { namespaced: !kind.startsWith('Cluster') }))

const kubescape = 'spdx.softwarecomposition.kubescape.io'
/** Served by an API server of its own. */
export const kubescapeResources: Resource[] = [
  customResource(kubescape, 'v1beta1', 'WorkloadConfigurationScan', { typed: true }),
  customResource(kubescape, 'v1beta1', 'VulnerabilityManifestSummary', {
    ...{ typed: true, plural: 'vulnerabilitymanifestsummaries' },
  }),
  customResource(kubescape, 'v1beta1', 'VulnerabilityManifest', { typed: true }),
]

export const policyResources: Resource[] = [
  customResource('wgpolicyk8s.io', 'v1alpha2', 'PolicyReport'),
  customResource('wgpolicyk8s.io', 'v1alpha2', 'ClusterPolicyReport', { namespaced: false }),
]

export const laterPolicyResources: Resource[] = [
  customResource('reports.x-k8s.io', 'v1beta2', 'PolicyReport'),
  customResource('reports.x-k8s.io', 'v1beta2', 'ClusterPolicyReport', { namespaced: false }),
]

export const openReports: Resource[] = [
  customResource('openreports.io', 'v1alpha1', 'Report'),
  customResource('openreports.io', 'v1alpha1', 'ClusterReport', { namespaced: false }),
]

export const wantedResources: Resource[] = [
  customResource('argoproj.io', 'v1alpha1', 'Application'),
  customResource('argoproj.io', 'v1alpha1', 'ApplicationSet'),
  customResource('helm.toolkit.fluxcd.io', 'v2', 'HelmRelease'),
  customResource('kustomize.toolkit.fluxcd.io', 'v1', 'Kustomization'),
  customResource('source.toolkit.fluxcd.io', 'v1', 'HelmRepository', { plural: 'helmrepositories' }),
  customResource('source.toolkit.fluxcd.io', 'v1', 'HelmChart', { plural: 'helmcharts' }),
  customResource('source.toolkit.fluxcd.io', 'v1', 'OCIRepository', { plural: 'ocirepositories' }),
  customResource('source.toolkit.fluxcd.io', 'v1', 'GitRepository', { plural: 'gitrepositories' }),
  customResource('helm.cattle.io', 'v1', 'HelmChart'),
]
