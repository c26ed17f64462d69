import * as z from 'zod/mini'
import {
  BootstrapCandidate,
  ClusterConfig,
  ClusterConfigChange,
  ClusterConfigInput,
  ConfigFile,
  ScanCommand,
} from '../cluster-config.ts'
import { none, type Route, Success } from '../route.ts'
import { requiredText, text } from '../shape.ts'

const configId = z.object({ config_id: z.string() })

export const clusterConfigRoutes = {
  listConfigs: {
    method: 'GET',
    path: '/cluster-configs',
    access: 'pro',
    params: none,
    query: none,
    answer: z.object({ success: z.literal(true), items: z.array(ClusterConfig), total: z.int() }),
  },
  createConfig: {
    method: 'POST',
    path: '/cluster-configs',
    access: 'pro',
    params: none,
    query: none,
    body: ClusterConfigInput,
    answer: z.extend(ClusterConfig, { success: z.literal(true) }),
    audit: 'config.create',
  },
  listBootstrapCandidates: {
    method: 'GET',
    path: '/cluster-configs/bootstrap-candidates',
    access: 'pro',
    params: none,
    query: none,
    answer: z.object({ success: z.literal(true), candidates: z.array(BootstrapCandidate) }),
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
  },
  getConfig: {
    method: 'GET',
    path: '/cluster-configs/{config_id}',
    access: 'pro',
    params: configId,
    query: none,
    answer: ClusterConfig,
    audit: 'config.read',
  },
  updateConfig: {
    method: 'PUT',
    path: '/cluster-configs/{config_id}',
    access: 'pro',
    params: configId,
    query: none,
    body: ClusterConfigChange,
    answer: z.extend(ClusterConfig, { success: z.literal(true) }),
    audit: 'config.update',
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
  },
  getConfigFile: {
    method: 'GET',
    path: '/cluster-configs/{config_id}/config-file',
    access: 'pro',
    params: configId,
    query: none,
    answer: ConfigFile,
  },
} as const satisfies Record<string, Route>
