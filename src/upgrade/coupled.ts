import type { UpgradeFacts } from './facts.ts'

/** Network and storage drivers, ingress controllers, gateways and operators by their names. */
const pattern = /(?:^|-)(?:cni|csi|operator|ingress|gateway|snapshotter)(?:-|$)/

const others = new Set([
  ...['antrea', 'azure-container-networking', 'calico', 'cilium', 'flannel', 'kube-ovn', 'kube-router', 'multus-cni'],
  ...['longhorn', 'rook', 'openebs', 'portworx', 'metallb', 'traefik', 'contour', 'gloo', 'skipper'],
  ...['istio', 'linkerd', 'kuma', 'consul', 'knative', 'knative-eventing', 'crossplane', 'argo-cd', 'argo-workflows'],
  ...['kyverno', 'gatekeeper', 'kubewarden', 'cert-manager', 'external-secrets', 'karpenter', 'keda', 'velero'],
  ...['cloudnative-pg', 'strimzi', 'eck', 'kubevirt', 'cluster-api', 'tekton-pipelines', 'kube-prometheus-stack'],
])

/** The project that a plan upgrades, which is no part of it. */
export const clusterSlug = 'kubernetes'

/** Whether a project works close to Kubernetes, so that nobody should upgrade without knowing about it. */
export function isCoupled(slug: string, facts: UpgradeFacts): boolean {
  if (slug === clusterSlug) return false
  return pattern.test(slug) || others.has(slug) || facts.removalsFor(slug).length > 0
}
