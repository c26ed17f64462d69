import type { UnreadSource } from '../contract/node.ts'
import type { OwnerLabel } from '../contract/ownership.ts'

/** The artifacts that run in a cluster, as a scan reports them. The input of freshness. */
export interface Artifacts {
  images: ImageArtifact[]
  charts: ChartArtifact[]
  apps: AppArtifact[]
  /** Version as the cluster states it: `v1.33.6`, `v1.26.5-gke.2700`. */
  kubernetesVersion: string | null
  /** The provider named by the upload, else the managed offering that the node labels name, such as `aks`. */
  provider?: string
  /** Chains of controllers, from a pod up to the object that users edit, if the inventory has them. */
  owners?: OwnerLink[]
  /** Responsible teams by labels, if the inventory has them. */
  ownerLabels?: OwnerLabel[]
  /** Absent in older inventories. */
  nodes?: NodeArtifact[]
  /** Charts that GitOps objects in the cluster ask for. */
  wanted?: WantedArtifact[]
  apis?: UsedApi[]
  /** Resources that the inventory could not read. */
  unread?: UnreadSource[]
  /** Reasons why the list of artifacts is incomplete, one sentence each. */
  gaps?: string[]
  /** Whether images come from an inventory or only from the texts of findings. */
  imageSource: 'artifacts' | 'findings'
}

/** A node, as its `nodeInfo` states it. */
export interface NodeArtifact {
  name: string
  os: string | null
  runtime: string | null
  kubelet: string | null
  /** The managed offering that the node's labels name, if any. */
  offering?: string
}

/** A use of an API version that is not the current one of its kind. */
export interface UsedApi {
  /** API group; empty for the core group. */
  group: string
  version: string
  /** A kind; for uses found in metrics, a resource. */
  kind: string
  by: 'managedFields' | 'storedVersions' | 'metrics'
  users: string[]
  count: number
}

/** A chart that Argo CD, Flux or k3s is configured to install. */
export interface WantedArtifact {
  tool: string
  kind: string
  namespace: string | null
  name: string
  chart: string | null
  /** As written in the object: a version, a range or null. */
  version: string | null
  repository: string | null
  release: string | null
  releaseNamespace: string | null
  running: string | null
}

/** An object and its controller: `pod/web-65cc8855c-ghk9m` and `replicaset/web-65cc8855c`. Names are not shortened. */
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
  /** Digest of the workload's pod template. */
  spec?: string | undefined
}

export interface ChartArtifact {
  name: string
  version: string
  /** The version of its app, if it states one. */
  appVersion?: string | undefined
  release: string | null
  namespace: string | null
  workload: string | null
}

export interface AppArtifact {
  name: string
  version: string
  namespace: string | null
}
