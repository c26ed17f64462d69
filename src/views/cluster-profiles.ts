import type { ClusterProfile } from '../contract/cluster-profile.ts'
import { titled } from './titles.ts'
import type { ViewColumn } from './view.ts'

export const profileSource = 'clusterprofiles.multicluster.x-k8s.io'

const health = (healthy: boolean | null): string => (healthy === null ? 'not known' : healthy ? 'healthy' : 'unhealthy')

/** Columns of clusters in ClusterProfiles. */
const columns = {
  cluster: {
    ...{ ...titled('cluster'), reveals: 'text', width: { min: 12 } },
    text: ({ name, display_name }) => display_name ?? name,
  },
  kubernetes: {
    ...{ ...titled('kubernetes'), reveals: 'version' },
    text: ({ kubernetes_version }) => kubernetes_version ?? 'not known',
    data: ({ kubernetes_version }) => kubernetes_version,
  },
  health: {
    ...{ key: 'health', title: 'Control plane', reveals: 'safe' },
    text: ({ is_healthy }) => health(is_healthy),
    data: ({ is_healthy }) => is_healthy,
    tone: ({ is_healthy }) => (is_healthy === false ? 'bad' : is_healthy === null ? 'soft' : undefined),
  },
  manager: { key: 'manager', title: 'Manager', reveals: 'text', width: { min: 9 }, text: ({ manager }) => manager },
  labels: {
    ...{ ...titled('labels'), reveals: 'text', width: { min: 12 } },
    text: ({ labels }) => labels.join(', '),
    data: ({ labels }) => labels.join(' '),
  },
} satisfies Record<string, ViewColumn<ClusterProfile>>

export const clusterProfileColumns = columns as Record<keyof typeof columns, ViewColumn<ClusterProfile>>
