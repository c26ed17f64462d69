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
import { none, type Route, Success } from '../route.ts'
import { documented, page, pageOf, perPage, requiredText, text } from '../shape.ts'

const configId = z.object({
  config_id: documented(z.string(), { type: 'string', pattern: '^ccfg_[A-Za-z0-9-]{1,64}$' }),
})

const SavedConfig = z.extend(ClusterConfig, { success: z.literal(true) })

export const clusterConfigRoutes = {
  listConfigs: {
    method: 'GET',
    path: '/cluster-configs',
    access: 'pro',
    params: none,
    query: z.object({ page, per_page: perPage, include: z.optional(z.enum(['settings'])) }),
    answer: z.extend(pageOf(ListedClusterConfig), { success: z.literal(true) }),
    audit: 'config.list',
    received: async () => (await import('../received/cluster-config.ts')).Configs,
  },
  createConfig: {
    method: 'POST',
    path: '/cluster-configs',
    access: 'pro',
    params: none,
    query: none,
    body: ClusterConfigInput,
    answer: SavedConfig,
    audit: 'config.create',
    received: async () => (await import('../received/cluster-config.ts')).ChangedConfig,
  },
  listBootstrapCandidates: {
    method: 'GET',
    path: '/cluster-configs/bootstrap-candidates',
    access: 'pro',
    params: none,
    query: none,
    answer: z.object({ success: z.literal(true), candidates: z.array(BootstrapCandidate) }),
    received: async () => (await import('../received/cluster-config.ts')).Candidates,
  },
  bootstrapConfigs: {
    method: 'POST',
    path: '/cluster-configs/bootstrap-from-reports',
    access: 'pro',
    params: none,
    query: none,
    body: z.object({
      cluster_names: z.optional(z.array(requiredText(253)).check(z.maxLength(1000))),
      environment: z.optional(text(100)),
    }),
    answer: z.object({
      success: z.literal(true),
      created: z.array(ClusterConfig),
      skipped: z.array(z.object({ cluster_name: z.string(), reason: z.string() })),
    }),
    audit: 'config.bootstrap',
    received: async () => (await import('../received/cluster-config.ts')).Bootstrap,
  },
  getConfig: {
    method: 'GET',
    path: '/cluster-configs/{config_id}',
    access: 'pro',
    params: configId,
    query: none,
    answer: ClusterConfig,
    audit: 'config.read',
    received: async () => (await import('../received/cluster-config.ts')).WholeConfig,
  },
  updateConfig: {
    method: 'PUT',
    path: '/cluster-configs/{config_id}',
    access: 'pro',
    params: configId,
    query: none,
    body: ClusterConfigChange,
    answer: SavedConfig,
    audit: 'config.update',
    received: async () => (await import('../received/cluster-config.ts')).ChangedConfig,
  },
  deleteConfig: {
    method: 'DELETE',
    path: '/cluster-configs/{config_id}',
    access: 'pro',
    params: configId,
    query: none,
    answer: Success,
    audit: 'config.delete',
  },
  getConfigCommand: {
    method: 'GET',
    path: '/cluster-configs/{config_id}/command',
    access: 'pro',
    params: configId,
    query: none,
    answer: ScanCommand,
    audit: 'config.command',
    received: async () => (await import('../received/cluster-config.ts')).ScanCommand,
  },
  getConfigFile: {
    method: 'GET',
    path: '/cluster-configs/{config_id}/config-file',
    access: 'pro',
    params: configId,
    query: none,
    answer: ConfigFile,
    audit: 'config.file',
  },
} as const satisfies Record<string, Route>
