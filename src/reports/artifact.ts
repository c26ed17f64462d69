/** A running artifact of a cluster, as reported by a scan. The input of freshness. */
export interface Artifacts {
  images: ImageArtifact[]
  charts: ChartArtifact[]
  apps: AppArtifact[]
  /** As the cluster says it: `v1.33.6`, `v1.26.5-gke.2700`. */
  kubernetesVersion: string | null
  /** Who owns what runs, up to what a person edits, when an inventory says so. */
  owners?: OwnerLink[]
  /** Why not all that runs is known, a sentence each. */
  gaps?: string[]
  /** Images come from an inventory, or only from what the findings mention. */
  imageSource: 'artifacts' | 'findings'
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
