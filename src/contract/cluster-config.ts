import * as z from 'zod/mini'
import { providers } from './choices.ts'
import { ScanSettings, WantedScanSettings } from './scan-settings.ts'
import { clusterPlace, freeText, nullableText, requiredText, Timestamp, text, texts } from './shape.ts'

const ConfigId = z.string().check(z.regex(/^ccfg_[A-Za-z0-9-]{1,64}$/))

export const Provider = z.enum(providers)
export type Provider = z.infer<typeof Provider>

export const ClusterConfigInput = z.object({
  name: requiredText(200),
  cluster_name: z.optional(text(253)),
  provider: z._default(Provider, 'kubernetes'),
  notes: z.optional(freeText(10_000)),
  settings: z._default(WantedScanSettings, {}),
})
export type ClusterConfigInput = z.infer<typeof ClusterConfigInput>

/** Changes only the given fields; `settings` is replaced as a whole. */
export const ClusterConfigChange = z.object({
  name: z.optional(requiredText(200)),
  cluster_name: z.optional(text(253)),
  provider: z.optional(Provider),
  notes: z.optional(freeText(10_000)),
  settings: z.optional(WantedScanSettings),
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

/** A profile in a list; `notes` and `settings` only on request. */
export const ListedClusterConfig = z.extend(ClusterConfig, {
  notes: z.optional(ClusterConfig.shape.notes),
  settings: z.optional(ScanSettings),
})
export type ListedClusterConfig = z.infer<typeof ListedClusterConfig>

export const ScanCommand = z.object({
  /** The command in one line, and with one parameter per line. */
  powershell_command: z.string(),
  powershell_multiline: z.string(),
  /** Null if a container cannot run the profile; then the environment is empty, and a warning gives the reason. */
  docker_command: nullableText,
  /** An extension: the docker command quoted for PowerShell. */
  docker_powershell_command: z.optional(nullableText),
  /** One `-e NAME='value'` per line. */
  docker_env: z.string(),
  native_command: z.string(),
  yaml_filename: z.string(),
  /** Environment variables with credentials that the scanner needs; a container needs its own. */
  credential_variables: texts,
  container_credential_variables: texts,
  warnings: texts,
})
export type ScanCommand = z.infer<typeof ScanCommand>

/** The body also contains the configuration's own keys at its top level. */
export const ConfigFile = z.looseObject({ filename: z.string(), content: z.string(), content_type: z.string() })
export type ConfigFile = z.infer<typeof ConfigFile>

export const BootstrapCandidate = z.object({
  ...clusterPlace,
  provider: Provider,
  suggested_name: z.string(),
  last_run_id: z.string(),
  last_seen_at: Timestamp,
  already_configured: z.boolean(),
})
export type BootstrapCandidate = z.infer<typeof BootstrapCandidate>
