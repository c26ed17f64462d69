import type { ClusterProfile } from '../contract/cluster-profile.ts'
import type { ViewColumn } from './view.ts'

export const profileSource = 'clusterprofiles.multicluster.x-k8s.io'

const health = (healthy: boolean | null): string => (healthy === null ? 'not known' : healthy ? 'healthy' : 'unhealthy')

/** Columns of clusters in ClusterProfiles. */
const columns = {
  cluster: {
    ...{ key: 'cluster', title: 'Cluster', reveals: 'text', width: { min: 12 } },
    text: ({ name, display_name }) => display_name ?? name,
  },
  kubernetes: {
    ...{ key: 'kubernetes', title: 'Kubernetes', reveals: 'version' },
    text: ({ kubernetes_version }) => kubernetes_version ?? 'not known',
    data: ({ kubernetes_version }) => kubernetes_version,
  },
  health: {
    ...{ key: 'health', title: 'Control plane', reveals: 'safe' },
    text: ({ is_healthy }) => health(is_healthy),
    data: ({ is_healthy }) => is_healthy,
    tone: ({ is_healthy }) => (is_healthy === false ? 'bad' : is_healthy === null ? 'soft' : undefined),
  },
  manager: {
    ...{ key: 'manager', title: 'Manager', reveals: 'text', width: { min: 9 } },
    text: ({ manager }) => manager,
  },
  labels: {
    ...{ key: 'labels', title: 'Labels', reveals: 'text', width: { min: 12 } },
    text: ({ labels }) => labels.join(', '),
    data: ({ labels }) => labels.join(' '),
  },
} satisfies Record<string, ViewColumn<ClusterProfile>>

export const clusterProfileColumns = columns as Record<keyof typeof columns, ViewColumn<ClusterProfile>>
