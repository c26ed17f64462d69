import type { AgentJob } from '../config.ts'

export interface RbacRule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
}

/** `kubectl get KIND --all-namespaces` needs `list` alone. These are the kinds of an inventory, without secrets. */
const inventory: RbacRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
  { apiGroups: ['apps'], resources: ['deployments', 'statefulsets', 'daemonsets'], verbs: ['list'] },
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: ['list'] },
]

/** For a scanner, which reads most kinds. Secrets are not among them. */
const scanner: RbacRule[] = [
  {
    apiGroups: [''],
    resources: [
      ...['configmaps', 'endpoints', 'events', 'limitranges', 'namespaces', 'nodes', 'persistentvolumeclaims'],
      ...['persistentvolumes', 'pods', 'replicationcontrollers', 'resourcequotas', 'serviceaccounts', 'services'],
    ],
    verbs: ['get', 'list'],
  },
  ...[
    ['apps', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
    ['autoscaling', 'horizontalpodautoscalers'],
    ['batch', 'cronjobs', 'jobs'],
    ['discovery.k8s.io', 'endpointslices'],
    ['gateway.networking.k8s.io', 'gatewayclasses', 'gateways', 'httproutes'],
    ['metrics.k8s.io', 'nodes', 'pods'],
    ['networking.k8s.io', 'ingressclasses', 'ingresses', 'networkpolicies'],
    ['policy', 'poddisruptionbudgets'],
    ['rbac.authorization.k8s.io', 'clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
    ['storage.k8s.io', 'csidrivers', 'storageclasses'],
    ['apiextensions.k8s.io', 'customresourcedefinitions'],
    ['admissionregistration.k8s.io', 'mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
  ].map(([group, ...resources]) => ({ apiGroups: [group!], resources, verbs: ['get', 'list'] })),
]

const reports: Record<NonNullable<AgentJob['collect']>, RbacRule[]> = {
  'trivy-operator': [
    {
      apiGroups: ['aquasecurity.github.io'],
      resources: [
        ...['vulnerabilityreports', 'configauditreports', 'exposedsecretreports', 'rbacassessmentreports'],
        ...['infraassessmentreports', 'clustervulnerabilityreports', 'clusterconfigauditreports'],
        ...['clusterrbacassessmentreports', 'clusterinfraassessmentreports'],
      ],
      verbs: ['list'],
    },
  ],
  kubescape: [
    {
      apiGroups: ['spdx.softwarecomposition.kubescape.io'],
      resources: ['workloadconfigurationscans', 'vulnerabilitymanifestsummaries'],
      verbs: ['list'],
    },
  ],
  'policy-reports': [
    { apiGroups: ['wgpolicyk8s.io'], resources: ['policyreports', 'clusterpolicyreports'], verbs: ['list'] },
    { apiGroups: ['openreports.io'], resources: ['reports', 'clusterreports'], verbs: ['list'] },
  ],
}

/** The rules that the jobs need in the cluster, and no others. Watching a folder needs none. */
export function rulesFor(jobs: Pick<AgentJob, 'profile' | 'collect'>[]): RbacRule[] {
  const collected = [...new Set(jobs.flatMap(({ collect }) => collect ?? []))]
  const scans = jobs.some(({ profile }) => profile !== undefined)
  return [...(scans ? scanner : collected.length > 0 ? inventory : []), ...collected.flatMap((name) => reports[name])]
}
