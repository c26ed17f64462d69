import type { UpgradeFacts } from './facts.ts'

/** Network and storage drivers, ingress controllers, gateways and operators by their names. */
const pattern = /(?:^|-)(?:cni|csi|operator|ingress|gateway|snapshotter)(?:-|$)/

const others = new Set([
  'antrea',
  'azure-container-networking',
  'calico',
  'cilium',
  'flannel',
  'kube-ovn',
  'kube-router',
  'multus-cni',
  'longhorn',
  'rook',
  'openebs',
  'portworx',
  'metallb',
  'traefik',
  'contour',
  'gloo',
  'skipper',
  'istio',
  'linkerd',
  'kuma',
  'consul',
  'knative',
  'knative-eventing',
  'crossplane',
  'argo-cd',
  'argo-workflows',
  'kyverno',
  'gatekeeper',
  'kubewarden',
  'cert-manager',
  'external-secrets',
  'karpenter',
  'keda',
  'velero',
  'cloudnative-pg',
  'strimzi',
  'eck',
  'kubevirt',
  'cluster-api',
  'tekton-pipelines',
  'kube-prometheus-stack',
])

/** Slug of Kubernetes, which a plan upgrades, so it is not one of the parts. */
export const clusterSlug = 'kubernetes'

/** Whether a project depends closely on Kubernetes, so that its compatibility must be known. */
export function isCoupled(slug: string, facts: UpgradeFacts) {
  if (slug === clusterSlug) return false
  return pattern.test(slug) || others.has(slug) || facts.removalsFor(slug).length > 0
}
