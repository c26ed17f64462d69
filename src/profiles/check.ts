import { ScanSettings } from '../contract/scan-settings.ts'
import { invalidParams, missingParams } from '../errors.ts'
import { toVariable } from './container.ts'
import type { Profile } from './profile.ts'
import { settingNames } from './settings.ts'

/** Throws `invalid_param` for a profile that the scanner could not run as configured. */
export function checkProfile(profile: Profile) {
  const missing = missingSettings(profile)
  const invalid = invalidSettings(profile)
  if (Object.keys(invalid).length > 0) throw invalidParams({ ...invalid, ...missing })
  if (Object.keys(missing).length > 0) throw missingParams(missing)
}

/** Fields that the scanner requires once a provider is set. */
const neededOf = {
  aks: ['subscriptionId', 'resourceGroup', 'clusterName'],
  gke: ['projectId', 'location', 'clusterName'],
} as const

function missingSettings({ provider, settings, config_id }: Profile) {
  const missing: Record<string, string> = {}
  const { prometheus, radar } = settings
  if (provider === 'aks' || provider === 'gke') {
    const block: Record<string, unknown> | undefined = settings[provider]
    for (const name of block ? neededOf[provider] : []) {
      if (!block?.[name]) missing[`settings.${provider}.${name}`] = `required to scan ${provider.toUpperCase()}`
    }
  }
  if (prometheus?.enabled && !prometheus.url) missing['settings.prometheus.url'] = 'required to query Prometheus'
  if (prometheus?.enabled && prometheus.mode === 'bearer' && !prometheus.bearerTokenEnv) {
    missing['settings.prometheus.bearerTokenEnv'] = 'required for bearer: the environment variable with the token'
  }
  if (radar?.fetch_config && !config_id)
    missing.config_id = 'required to fetch the profile; only stored profiles have one'
  return missing
}

function invalidSettings(profile: Profile) {
  const invalid: Record<string, string> = {}
  const { data, error } = ScanSettings.safeParse(profile.settings)
  for (const { path, message } of error?.issues ?? []) invalid[['settings', ...path].join('.')] ??= message
  if (!profile.cluster_name.isWellFormed() || profile.cluster_name.includes('\0')) {
    invalid.cluster_name = 'must not contain NUL or broken Unicode'
  }
  if (data?.output?.outputPath?.replace(/^[A-Za-z]:(?=[\\/])/, '').includes(':')) {
    invalid['settings.output.outputPath'] = 'no colon: a container could not mount the folder'
  }
  const { radar, prometheus } = profile.settings
  if (radar?.api_base_url && !/^https?:\/\/[^/\s]/i.test(radar.api_base_url)) {
    invalid['settings.radar.api_base_url'] ??= 'an address that begins with https:// or http://'
  }
  const names = {
    'settings.radar.api_user_env': radar?.api_user_env,
    'settings.radar.api_password_env': radar?.api_password_env,
    'settings.prometheus.bearerTokenEnv': prometheus?.bearerTokenEnv,
  }
  for (const [path, name] of Object.entries(names)) {
    if (name && reserved.has(name)) invalid[path] = `${name} has a meaning of its own and holds no credential`
  }
  return invalid
}

const reserved = new Set(['KUBECONFIG', 'PATH', 'HOME', ...settingNames.map(toVariable)])
