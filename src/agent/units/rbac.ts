import type { CollectSource } from '../../scan/report-source.ts'

export interface RbacRule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
}

const list = (group: string, ...resources: string[]) => ({ apiGroups: [group], resources, verbs: ['list'] })

/** Objects of Argo CD, Flux and K3s. A rule for a kind that the cluster lacks has no effect. */
const wantedRules: RbacRule[] = [
  list('argoproj.io', 'applications', 'applicationsets'),
  list('helm.cattle.io', 'helmcharts'),
  list('helm.toolkit.fluxcd.io', 'helmreleases'),
  list('kustomize.toolkit.fluxcd.io', 'kustomizations'),
  list('source.toolkit.fluxcd.io', 'gitrepositories', 'helmcharts', 'helmrepositories', 'ocirepositories'),
]

/** Listing needs only `list`. These are the kinds of an inventory, without secrets. */
export const inventoryRules: RbacRule[] = [
  list('', 'namespaces', 'nodes', 'pods', 'replicationcontrollers'),
  list('apiextensions.k8s.io', 'customresourcedefinitions'),
  list('apps', 'deployments', 'replicasets', 'statefulsets', 'daemonsets'),
  list('batch', 'cronjobs', 'jobs'),
  ...wantedRules,
]

/** Permissions for the scanner and the inventory, without secrets. Determined from the audit log of an API server. */
export const scannerRules: RbacRule[] = [
  ...wantedRules,
  list(
    '',
    'configmaps',
    'endpoints',
    'events',
    'limitranges',
    'namespaces',
    'nodes',
    'persistentvolumeclaims',
    'persistentvolumes',
    'pods',
    'replicationcontrollers',
    'resourcequotas',
    'serviceaccounts',
    'services',
  ),
  list(
    'admissionregistration.k8s.io',
    'mutatingwebhookconfigurations',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
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

export const reportRules: Record<CollectSource, RbacRule[]> = {
  'trivy-operator': [
    list(
      'aquasecurity.github.io',
      'vulnerabilityreports',
      'configauditreports',
      'exposedsecretreports',
      'rbacassessmentreports',
      'infraassessmentreports',
      'clustervulnerabilityreports',
      'clusterconfigauditreports',
      'clusterrbacassessmentreports',
      'clusterinfraassessmentreports',
      'clustercompliancereports',
    ),
  ],
  kubescape: [
    list(
      'spdx.softwarecomposition.kubescape.io',
      'workloadconfigurationscans',
      'vulnerabilitymanifestsummaries',
      'vulnerabilitymanifests',
    ),
  ],
  'policy-reports': [
    list('wgpolicyk8s.io', 'policyreports', 'clusterpolicyreports'),
    list('reports.x-k8s.io', 'policyreports', 'clusterpolicyreports'),
    list('openreports.io', 'reports', 'clusterreports'),
  ],
  inventory: [],
}
