import * as z from 'zod/mini'
import { requiredText, Timestamp, text } from './shape.ts'

export const ConfigId = z.string().check(z.regex(/^ccfg_[A-Za-z0-9-]{1,64}$/))

export const Provider = z.enum(['aks', 'eks', 'gke', 'kubernetes'])
export type Provider = z.infer<typeof Provider>

const name = z.string().check(z.maxLength(500))
const names = z.array(name).check(z.maxLength(1000))

/** Settings of a scan; members that are not named here are kept. */
export const ScanSettings = z.looseObject({
  aks: z.optional(
    z.looseObject({
      subscriptionId: z.optional(name),
      resourceGroup: z.optional(name),
      clusterName: z.optional(name),
      useAksRestApi: z.optional(z.boolean()),
    }),
  ),
  gke: z.optional(
    z.looseObject({ projectId: z.optional(name), location: z.optional(name), clusterName: z.optional(name) }),
  ),
  eks: z.optional(z.looseObject({ region: z.optional(name), clusterName: z.optional(name) })),
  prometheus: z.optional(
    z.looseObject({
      enabled: z.optional(z.boolean()),
      url: z.optional(z.string().check(z.maxLength(2000))),
      mode: z.optional(z.enum(['local', 'basic', 'bearer', 'azure', 'gcp'])),
      bearerTokenEnv: z.optional(name),
    }),
  ),
  output: z.optional(
    z.looseObject({
      htmlReport: z.optional(z.boolean()),
      jsonReport: z.optional(z.boolean()),
      txtReport: z.optional(z.boolean()),
      csvReport: z.optional(z.boolean()),
      excludeNamespaces: z.optional(z.boolean()),
      additionalExcludedNamespaces: z.optional(names),
      yes: z.optional(z.boolean()),
    }),
  ),
  thresholds: z.optional(z.record(z.string(), z.union([z.number(), z.string().check(z.maxLength(200))]))),
  excluded_namespaces: z.optional(names),
  excluded_checks: z.optional(names),
  trusted_registries: z.optional(names),
  radar: z.optional(
    z.looseObject({ upload: z.optional(z.boolean()), compare: z.optional(z.boolean()), environment: z.optional(name) }),
  ),
})
export type ScanSettings = z.infer<typeof ScanSettings>

export const ClusterConfigInput = z.object({
  name: requiredText(200),
  cluster_name: z.optional(text(253)),
  provider: z._default(Provider, 'kubernetes'),
  notes: z.optional(z.string().check(z.maxLength(10_000))),
  settings: z._default(ScanSettings, {}),
})
export type ClusterConfigInput = z.infer<typeof ClusterConfigInput>

/** Only what is given is changed; `settings` is replaced whole. */
export const ClusterConfigChange = z.object({
  name: z.optional(requiredText(200)),
  cluster_name: z.optional(text(253)),
  provider: z.optional(Provider),
  notes: z.optional(z.string().check(z.maxLength(10_000))),
  settings: z.optional(ScanSettings),
})
export type ClusterConfigChange = z.infer<typeof ClusterConfigChange>

export const ClusterConfig = z.object({
  config_id: ConfigId,
  name: z.string(),
  cluster_name: z.string(),
  provider: Provider,
  notes: z.string(),
  settings: ScanSettings,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ClusterConfig = z.infer<typeof ClusterConfig>

export const ScanCommand = z.object({
  powershell_command: z.string(),
  docker_command: z.string(),
  /** One `-e NAME='value'` a line. */
  docker_env: z.string(),
  native_command: z.string(),
  yaml_filename: z.string(),
})
export type ScanCommand = z.infer<typeof ScanCommand>

/** Beside these members, the body carries the configuration's own keys at its top level: see docs/decisions.md. */
export const ConfigFile = z.looseObject({ filename: z.string(), content: z.string(), content_type: z.string() })
export type ConfigFile = z.infer<typeof ConfigFile>

export const BootstrapCandidate = z.object({
  cluster_name: z.string(),
  environment: z.string(),
  provider: Provider,
  suggested_name: z.string(),
  last_run_id: z.string(),
  last_seen_at: Timestamp,
  already_configured: z.boolean(),
})
export type BootstrapCandidate = z.infer<typeof BootstrapCandidate>
