import type { Profile } from './profile.ts'
import { hasProviderChecks, type RunOptions } from './settings.ts'
import { contactsServer, toRadar } from './upload.ts'

/** Names of environment variables; this module never reads or writes their values. */
const azure = ['AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'AZURE_TENANT_ID']
const prometheusBasic = ['PROMETHEUS_USERNAME', 'PROMETHEUS_PASSWORD']

/** Variables in which the scanner expects the service's user and application password. */
export function uploadCredentials({ settings: { radar } }: Profile): [user: string, password: string] {
  return [radar?.api_user_env || 'KUBEBUDDY_RADAR_API_USER', radar?.api_password_env || 'KUBEBUDDY_RADAR_API_PASSWORD']
}

/** Variables that must be set where the scanner runs. */
export function credentialsFor(profile: Profile, options: RunOptions = {}) {
  const { prometheus } = profile.settings
  const names: string[] = []
  if (options.radar !== false && contactsServer(toRadar(profile))) {
    names.push(...uploadCredentials(profile))
  }
  if (prometheus?.enabled && prometheus.mode === 'basic') names.push(...prometheusBasic)
  if (prometheus?.enabled && prometheus.bearerTokenEnv) names.push(prometheus.bearerTokenEnv)
  return [...new Set(names)]
}

/** A container cannot use the login session of the user who starts it. */
export function containerCredentialsFor(profile: Profile, options: RunOptions = {}) {
  const { prometheus } = profile.settings
  const needsAzure = hasProviderChecks(profile, 'aks') || (prometheus?.enabled && prometheus.mode === 'azure')
  return [...new Set([...credentialsFor(profile, options), ...(needsAzure ? azure : [])])]
}
