import type { AgentJob } from '../config.ts'

export interface RbacRule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
}

const list = (group: string, ...resources: string[]): RbacRule => ({ apiGroups: [group], resources, verbs: ['list'] })

/** Reading what is there needs `list` alone. These are the kinds of an inventory, without secrets. */
const inventory: RbacRule[] = [
  list('', 'pods'),
  list('apps', 'deployments', 'replicasets', 'statefulsets', 'daemonsets'),
  list('batch', 'cronjobs', 'jobs'),
]

/** What the scanner asks for, and the inventory with it. Secrets are not among them. Seen in the audit log of an API server. */
const scanner: RbacRule[] = [
  list(
    '',
    ...['configmaps', 'endpoints', 'events', 'limitranges', 'namespaces', 'nodes', 'persistentvolumeclaims'],
    ...['persistentvolumes', 'pods', 'resourcequotas', 'serviceaccounts', 'services'],
  ),
  list(
    'admissionregistration.k8s.io',
    ...['mutatingwebhookconfigurations', 'validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
    'validatingwebhookconfigurations',
  ),
  list('apiextensions.k8s.io', 'customresourcedefinitions'),
  list('apiregistration.k8s.io', 'apiservices'),
  list('apps', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'),
  list('autoscaling', 'horizontalpodautoscalers'),
  list('autoscaling.k8s.io', 'verticalpodautoscalers'),
  list('batch', 'cronjobs', 'jobs'),
  list('certificates.k8s.io', 'certificatesigningrequests'),
  list('discovery.k8s.io', 'endpointslices'),
  list('gateway.networking.k8s.io', 'gatewayclasses', 'gateways', 'httproutes'),
  list('metrics.k8s.io', 'nodes'),
  list('networking.k8s.io', 'ingressclasses', 'ingresses', 'networkpolicies'),
  list('policy', 'poddisruptionbudgets'),
  list('rbac.authorization.k8s.io', 'clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'),
  list('storage.k8s.io', 'storageclasses'),
]

/** Checks of the scanner that compare with the secrets that there are. */
export const checksOnSecrets = ['NS001', 'SEC001', 'SEC022', 'SEC031', 'SEC032']

const reports: Record<NonNullable<AgentJob['collect']>, RbacRule[]> = {
  'trivy-operator': [
    list(
      'aquasecurity.github.io',
      ...['vulnerabilityreports', 'configauditreports', 'exposedsecretreports', 'rbacassessmentreports'],
      ...['infraassessmentreports', 'clustervulnerabilityreports', 'clusterconfigauditreports'],
      ...['clusterrbacassessmentreports', 'clusterinfraassessmentreports'],
    ),
  ],
  kubescape: [
    list('spdx.softwarecomposition.kubescape.io', 'workloadconfigurationscans', 'vulnerabilitymanifestsummaries'),
  ],
  'policy-reports': [
    list('wgpolicyk8s.io', 'policyreports', 'clusterpolicyreports'),
    list('openreports.io', 'reports', 'clusterreports'),
  ],
}

export interface RbacOptions {
  /** Kinds to allow beside what the jobs ask for: `secrets`, `certificates.cert-manager.io`. */
  with?: string[] | undefined
  /** Kinds to leave out, of those that the scanner reads. */
  without?: string[] | undefined
}

/** The rules that the jobs need in the cluster, and no others. Watching a folder needs none. */
export function rulesFor(
  jobs: Pick<AgentJob, 'profile' | 'collect'>[],
  { with: more = [], without = [] }: RbacOptions = {},
): RbacRule[] {
  const collected = [...new Set(jobs.flatMap(({ collect }) => collect ?? []))]
  const scans = jobs.some(({ profile }) => profile !== undefined)
  if (!scans && collected.length === 0) return []
  const rules = [
    ...(scans ? scanner : inventory),
    ...collected.flatMap((name) => reports[name]),
    ...more.map((kind) => list(groupOf(kind), pluralOf(kind))),
  ]
  return rules.flatMap(({ apiGroups, resources, verbs }) => {
    const left = resources.filter((plural) => !without.some((kind) => names(kind, apiGroups[0]!, plural)))
    return left.length > 0 ? [{ apiGroups, resources: left, verbs }] : []
  })
}

const pluralOf = (kind: string): string => kind.split('.')[0]!
const groupOf = (kind: string): string => kind.split('.').slice(1).join('.')

/** `nodes.metrics.k8s.io` is one kind, `nodes` that of the core group. */
const names = (kind: string, group: string, plural: string): boolean =>
  pluralOf(kind) === plural && (groupOf(kind) === group || (groupOf(kind) === '' && isUnique(plural)))

/** Only one group has a kind of this name. */
const isUnique = (plural: string): boolean =>
  [...inventory, ...scanner, ...Object.values(reports).flat()].filter(({ resources }) => resources.includes(plural))
    .length === 1

/** A kind that no job asks for, which a person who leaves it out has misspelt. */
export function unknownKinds(jobs: Pick<AgentJob, 'profile' | 'collect'>[], kinds: string[]): string[] {
  const rules = rulesFor(jobs)
  return kinds.filter(
    (kind) => !rules.some(({ apiGroups, resources }) => resources.some((plural) => names(kind, apiGroups[0]!, plural))),
  )
}
