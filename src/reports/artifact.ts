import type { ClusterProfile } from '../contract/cluster-profile.ts'
import type { UnreadSource } from '../contract/node.ts'
import type { OwnerLabel } from '../contract/ownership.ts'

/** A running artifact of a cluster, as reported by a scan. The input of freshness. */
export interface Artifacts {
  images: ImageArtifact[]
  charts: ChartArtifact[]
  apps: AppArtifact[]
  /** As the cluster says it: `v1.33.6`, `v1.26.5-gke.2700`. */
  kubernetesVersion: string | null
  /** The provider that the upload names, else the offering that its nodes name, such as `aks`. */
  provider?: string
  /** Who owns what runs, up to what a person edits, when an inventory says so. */
  owners?: OwnerLink[]
  /** Who is responsible by labels, when an inventory says so. */
  ownerLabels?: OwnerLabel[]
  /** Absent when the inventory has none, as older ones. */
  nodes?: NodeArtifact[]
  /** What git wants, where objects in the cluster say it. */
  wanted?: WantedArtifact[]
  apis?: UsedApi[]
  /** Absent when the inventory could not read them, as older ones. */
  customResources?: DefinedResource[]
  /** Clusters of the fleet, where the cluster is a hub. */
  clusterProfiles?: ClusterProfile[]
  /** Sources of the inventory that could not be read. */
  unread?: UnreadSource[]
  /** Why not all that runs is known, a sentence each. */
  gaps?: string[]
  /** Images come from an inventory, or only from what the findings mention. */
  imageSource: 'artifacts' | 'findings'
}

/** A node, as its `nodeInfo` says. */
export interface NodeArtifact {
  name: string
  os: string | null
  kernel: string | null
  runtime: string | null
  kubelet: string | null
  /** The offering that the node's labels name, where they do. */
  offering?: string
}

/** A use of an API version that is not the present one of its kind. */
export interface UsedApi {
  /** Empty for the core group. */
  group: string
  version: string
  /** A kind; of metrics, a resource. */
  kind: string
  by: 'managedFields' | 'storedVersions' | 'metrics'
  users: string[]
  count: number
}

/** A CustomResourceDefinition. */
export interface DefinedResource {
  /** `certificates.cert-manager.io` */
  name: string
  group: string
  kind: string
  versions: { name: string; served: boolean; storage: boolean; deprecated: boolean }[]
  /** Versions in which objects may be stored. */
  stored: string[]
  /** Version of its project, and the label or annotation that states it. */
  version: string | null
  versionFrom: string | null
  chart: { name: string; version: string } | null
  /** The Helm release whose templates contain it. */
  release: { name: string; namespace: string | null } | null
  /** `HelmRelease flux-system/kyverno` */
  appliedBy: string | null
  /** A workload of the same project whose label states a version. */
  controller: { name: string; version: string } | null
}

/** A chart that Argo CD, Flux or k3s are asked to install. */
export interface WantedArtifact {
  tool: string
  kind: string
  namespace: string | null
  name: string
  chart: string | null
  /** As written: a version, a range or null. */
  version: string | null
  repository: string | null
  release: string | null
  releaseNamespace: string | null
  running: string | null
}

/** An object and its controller: `pod/web-65cc8855c-ghk9m` and `replicaset/web-65cc8855c`. Names are full. */
export interface OwnerLink {
  namespace: string
  resource: string
  owner: string
}

export interface ImageArtifact {
  /** As written in the pod: `nginx`, `quay.io/argoproj/argocd:v2.10.1@sha256:…`. */
  reference: string
  namespace: string | null
  /** `deployment/web`. */
  workload: string | null
  /** The chart and release that installed it, when Helm did. */
  helmChart: string | null
  helmRelease: string | null
}

export interface ChartArtifact {
  name: string
  version: string
  release: string | null
  namespace: string | null
  workload: string | null
}

export interface AppArtifact {
  name: string
  version: string
  namespace: string | null
}
