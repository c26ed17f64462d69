import * as z from 'zod/mini'
import {
  BootstrapCandidate,
  ClusterConfig,
  ClusterConfigChange,
  ClusterConfigInput,
  ConfigFile,
  ListedClusterConfig,
  ScanCommand,
} from '../cluster-config.ts'
import { Success, toRoutes } from '../route.ts'
import { documented, paging, requiredText, success, text, toPage } from '../shape.ts'

const configId = z.object({
  config_id: documented(z.string(), { type: 'string', pattern: '^ccfg_[A-Za-z0-9-]{1,64}$' }),
})

const SavedConfig = z.extend(ClusterConfig, success)

export const clusterConfigRoutes = toRoutes({
  listConfigs: {
    method: 'GET',
    path: '/cluster-configs',
    largeAnswer: { with: 'include' },
    summary: 'List scan profiles',
    components: { answer: 'ScanProfilePage' },
    role: 'viewer',
    query: z.object({ ...paging, include: z.optional(z.enum(['settings'])) }),
    answer: z.extend(toPage(ListedClusterConfig), success),
    audit: 'config.list',
    received: async () => (await import('../received/cluster-config.ts')).Configs,
  },
  createConfig: {
    method: 'POST',
    path: '/cluster-configs',
    summary: 'Create scan profile',
    links: [
      {
        parameter: 'config_id',
        member: 'config_id',
        to: ['getConfig', 'updateConfig', 'getConfigCommand', 'getConfigFile', 'deleteConfig'],
      },
    ],
    components: { answer: 'ScanProfileSaved' },
    role: 'member',
    body: ClusterConfigInput,
    answer: SavedConfig,
    audit: 'config.create',
    received: async () => (await import('../received/cluster-config.ts')).ChangedConfig,
  },
  listBootstrapCandidates: {
    method: 'GET',
    path: '/cluster-configs/bootstrap-candidates',
    components: { answer: 'BootstrapCandidates' },
    role: 'viewer',
    heavy: true,
    answer: z.object({ ...success, candidates: z.array(BootstrapCandidate) }),
    received: async () => (await import('../received/cluster-config.ts')).Candidates,
  },
  bootstrapConfigs: {
    method: 'POST',
    path: '/cluster-configs/bootstrap-from-reports',
    largeAnswer: true,
    summary: 'Create scan profiles from reports',
    components: { body: 'BootstrapRequest', answer: 'BootstrapResult' },
    role: 'member',
    heavy: true,
    body: z.object({
      cluster_names: z.optional(z.array(requiredText(253)).check(z.maxLength(1000))),
      environment: z.optional(text(100)),
    }),
    answer: z.object({
      ...success,
      created: z.array(ClusterConfig),
      skipped: z.array(z.object({ cluster_name: z.string(), reason: z.string() })),
    }),
    audit: 'config.bootstrap',
    received: async () => (await import('../received/cluster-config.ts')).Bootstrap,
  },
  getConfig: {
    method: 'GET',
    path: '/cluster-configs/{config_id}',
    summary: 'Get scan profile',
    role: 'viewer',
    params: configId,
    answer: ClusterConfig,
    audit: 'config.read',
    received: async () => (await import('../received/cluster-config.ts')).WholeConfig,
  },
  updateConfig: {
    method: 'PUT',
    path: '/cluster-configs/{config_id}',
    conflicts: true,
    summary: 'Update scan profile',
    role: 'member',
    params: configId,
    body: ClusterConfigChange,
    answer: SavedConfig,
    audit: 'config.update',
    received: async () => (await import('../received/cluster-config.ts')).ChangedConfig,
  },
  deleteConfig: {
    method: 'DELETE',
    path: '/cluster-configs/{config_id}',
    summary: 'Delete scan profile',
    role: 'owner',
    params: configId,
    answer: Success,
    audit: 'config.delete',
  },
  getConfigCommand: {
    method: 'GET',
    path: '/cluster-configs/{config_id}/command',
    summary: 'Get the commands of a scan profile',
    role: 'viewer',
    params: configId,
    answer: ScanCommand,
    audit: 'config.command',
    received: async () => (await import('../received/cluster-config.ts')).ReceivedScanCommand,
  },
  getConfigFile: {
    method: 'GET',
    path: '/cluster-configs/{config_id}/config-file',
    answersPlain: { type: 'application/yaml', member: 'content' },
    summary: 'Get the configuration file of a scan profile',
    role: 'viewer',
    params: configId,
    answer: ConfigFile,
    audit: 'config.file',
  },
})
