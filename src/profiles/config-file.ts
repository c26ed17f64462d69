import { stringify } from 'yaml'
import { credentialNames, type Profile } from './settings.ts'

export interface ConfigurationFile {
  filename: string
  /** YAML. */
  content: string
  /** What the YAML says. */
  configuration: Record<string, unknown>
}

/** The scanner's configuration file. It ignores a file it cannot parse, so what is written here always parses. */
export function configurationFile({ name, settings }: Profile): ConfigurationFile {
  const { thresholds, excluded_namespaces, trusted_registries, excluded_checks, radar } = settings
  const configuration = {
    ...(thresholds && { thresholds }),
    ...(excluded_namespaces && { excluded_namespaces }),
    ...(trusted_registries && { trusted_registries: trusted_registries.map(withSlash) }),
    ...(excluded_checks && { excluded_checks }),
    ...(radar && {
      radar: {
        enabled: radar.upload === true,
        ...(radar.environment && { environment: radar.environment }),
        api_user_env: credentialNames.upload[0],
        api_password_env: credentialNames.upload[1],
      },
    }),
  }
  return { filename: `kubebuddy-${fileWord(name)}.yaml`, content: stringify(configuration), configuration }
}

/** The scanner compares by prefix: without the slash `mcr.microsoft.com` would trust `mcr.microsoft.com.evil.example`. */
function withSlash(registry: string): string {
  return registry.endsWith('/') ? registry : `${registry}/`
}

function fileWord(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'profile'
  )
}
