import * as z from 'zod/mini'
import {
  ClusterChange,
  ClusterComparison,
  ClusterOrder,
  ClusterVersions,
  FleetCluster,
  FleetSummary,
  ServiceStatus,
} from '../cluster.ts'
import { FleetMetrics } from '../cluster-metrics.ts'
import { inner, spaced } from '../patterns.ts'
import { Success, toRoutes } from '../route.ts'
import {
  clusterChoice,
  documented,
  flag,
  paging,
  requiredText,
  success,
  text,
  timeIn,
  toPage,
  whole,
} from '../shape.ts'

const idPattern = '^clus_[A-Za-z0-9-]{1,64}$'
const clusterId = z.object({ cluster_id: documented(z.string(), { type: 'string', pattern: idPattern }) })
const clusterInQuery = documented(requiredText(100), { type: 'string', pattern: spaced(inner(idPattern)) })

const SavedCluster = z.extend(FleetCluster, success)

export const clusterRoutes = toRoutes({
  listClusters: {
    method: 'GET',
    path: '/clusters',
    summary: 'List clusters with their figures',
    components: { answer: 'ClusterPage' },
    role: 'viewer',
    heavy: true,
    query: z.object({
      ...clusterChoice,
      label: z.optional(text(100)),
      sort: z._default(ClusterOrder, 'name'),
      /** Findings that came after this time are new. Default: yesterday at 8:00; on Sunday and Monday, Friday at 8:00. */
      since: z.optional(timeIn),
      /** For clusters without a set interval, expect reports at the usual interval. */
      learn: z._default(flag, false),
      ...paging,
    }),
    answer: z.extend(toPage(FleetCluster), { ...success, summary: FleetSummary }),
    extension: true,
    received: async () => (await import('../received/cluster.ts')).ClusterPage,
  },
  getStatus: {
    method: 'GET',
    path: '/status',
    summary: 'Get what needs attention beside clusters',
    role: 'viewer',
    answer: ServiceStatus,
    extension: true,
  },
  compareClusters: {
    method: 'GET',
    path: '/clusters/compare',
    summary: 'Compare what runs in two clusters',
    largeAnswer: true,
    role: 'viewer',
    heavy: true,
    query: z.object({ from: clusterInQuery, to: clusterInQuery }),
    answer: ClusterComparison,
    audit: 'cluster.compare',
    extension: true,
  },
  listClusterVersions: {
    method: 'GET',
    path: '/clusters/versions',
    summary: 'List the versions of a project in all clusters',
    largeAnswer: true,
    role: 'viewer',
    heavy: true,
    query: z.object({ product_id: whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) }),
    answer: ClusterVersions,
    audit: 'cluster.versions',
    extension: true,
  },
  getClusterMetrics: {
    method: 'GET',
    path: '/clusters/metrics',
    summary: 'Get what is known of clusters in numbers',
    largeAnswer: true,
    role: 'viewer',
    heavy: true,
    forMetrics: true,
    components: { answer: 'FleetMetrics' },
    answer: FleetMetrics,
    extension: true,
  },
  getCluster: {
    method: 'GET',
    path: '/clusters/{cluster_id}',
    summary: 'Get cluster with its figures',
    role: 'viewer',
    heavy: true,
    params: clusterId,
    answer: FleetCluster,
    extension: true,
    received: async () => (await import('../received/cluster.ts')).ReceivedCluster,
  },
  updateCluster: {
    method: 'PUT',
    path: '/clusters/{cluster_id}',
    conflicts: true,
    summary: 'Rename cluster, or change its settings',
    components: { answer: 'ClusterSaved' },
    role: 'member',
    params: clusterId,
    body: ClusterChange,
    answer: SavedCluster,
    audit: 'cluster.update',
    extension: true,
  },
  deleteCluster: {
    method: 'DELETE',
    path: '/clusters/{cluster_id}',
    summary: 'Delete cluster with all its runs',
    role: 'owner',
    heavy: true,
    params: clusterId,
    answer: Success,
    audit: 'cluster.delete',
    extension: true,
  },
})
