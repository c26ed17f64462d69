import { stringify } from 'yaml'
import { checkProfile } from './check.ts'
import { uploadCredentials } from './credentials.ts'
import { escapeForYaml } from './escape.ts'
import type { Profile } from './profile.ts'
import { remarksOn } from './remarks.ts'
import { toRadar, withServer } from './upload.ts'

/**
 * The scanner's configuration file: its content as YAML, and as an object. The scanner ignores a file that it cannot parse, so the result is always valid. `server`
 * is the URL of the profile's server, if any. Throws like `checkProfile`.
 */
export function configurationFile(given: Profile, server?: string) {
  checkProfile(given)
  const profile = withServer(given, server)
  const configuration = toConfiguration(profile)
  const comments = remarksOn(profile).map((remark) => `# ${remark}\n`)
  const content = escapeForYaml(comments.join('') + formatYaml(configuration))
  return { filename: toFilename(profile.name), content, configuration }
}

/** Whether the profile has settings that only the configuration file supports. */
export function needsConfigurationFile(profile: Profile) {
  const { thresholds, excluded_namespaces, trusted_registries } = profile.settings
  const radar = toRadar(profile)
  if (radar?.fetch_config) return false
  return [
    thresholds,
    excluded_namespaces,
    trusted_registries,
    radar?.upload_timeout_seconds,
    radar?.upload_retries,
  ].some((setting) => setting !== undefined)
}

function toConfiguration(profile: Profile): Record<string, unknown> {
  const { thresholds, excluded_namespaces, trusted_registries, excluded_checks } = profile.settings
  const radar = toRadar(profile)
  const [api_user_env, api_password_env] = uploadCredentials(profile)
  return {
    ...(thresholds && { thresholds }),
    ...(excluded_namespaces && { excluded_namespaces }),
    ...(trusted_registries && { trusted_registries: trusted_registries.map(withSlash) }),
    ...(excluded_checks && { excluded_checks }),
    ...(radar && {
      radar: {
        enabled: radar.upload === true,
        api_base_url: radar.api_base_url,
        ...(radar.environment && { environment: radar.environment }),
        api_user_env,
        api_password_env,
        ...(radar.upload_timeout_seconds !== undefined && { upload_timeout_seconds: radar.upload_timeout_seconds }),
        ...(radar.upload_retries !== undefined && { upload_retries: radar.upload_retries }),
      },
    }),
  }
}

/** Quotes every text as in JSON, because YAML 1.1 and 1.2 disagree about which words are not texts. */
function formatYaml(configuration: Record<string, unknown>) {
  return stringify(configuration, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    doubleQuotedAsJSON: true,
    compat: 'yaml-1.1',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  })
}

/**
 * The scanner compares prefixes: without the slash, `mcr.microsoft.com` would also trust `mcr.microsoft.com.evil.example`.
 */
function withSlash(registry: string) {
  return registry.endsWith('/') ? registry : `${registry}/`
}

function toFilename(name: string) {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return `kubebuddy-${word || 'profile'}.yaml`
}
