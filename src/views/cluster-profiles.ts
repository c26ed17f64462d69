import type { ClusterProfile } from '../contract/cluster-profile.ts'
import { columnsOf } from './view.ts'

export const profileSource = 'clusterprofiles.multicluster.x-k8s.io'

const health = (healthy: boolean | null): string => (healthy === null ? 'not known' : healthy ? 'healthy' : 'unhealthy')

/** Columns of clusters in ClusterProfiles. */
export const clusterProfileColumns = columnsOf<ClusterProfile>()({
  cluster: { reveals: 'text', min: 12, text: ({ name, display_name }) => display_name ?? name },
  kubernetes: {
    reveals: 'version',
    text: ({ kubernetes_version }) => kubernetes_version ?? 'not known',
    data: ({ kubernetes_version }) => kubernetes_version,
  },
  health: {
    ...{ title: 'Control plane', reveals: 'safe' },
    text: ({ is_healthy }) => health(is_healthy),
    data: ({ is_healthy }) => is_healthy,
    tone: ({ is_healthy }) => (is_healthy === false ? 'bad' : is_healthy === null ? 'soft' : undefined),
  },
  manager: { title: 'Manager', reveals: 'text', min: 9, text: ({ manager }) => manager },
  labels: { reveals: 'text', min: 12, text: ({ labels }) => labels.join(', '), data: ({ labels }) => labels.join(' ') },
})
