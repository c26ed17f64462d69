import { invalidParams } from '../errors.ts'
import { containerCredentialsFor } from './credentials.ts'
import type { Profile } from './profile.ts'

/** What a scan uses on its machine: variables, the hosts that may receive them, and contexts other than the current one. */
export interface ProfileAccess {
  /** Names of environment variables. */
  env: string[]
  /** Hosts with their ports: `prometheus.shop.example:9090`. */
  hosts: string[]
  /** Kubeconfig contexts. */
  contexts: string[]
}

/**
 * Variables and hosts that the profile makes the scanner use, besides the cluster and its provider. Excludes settings of
 * `radar`, because `relt scan run` passes none of them. Throws `invalid_param` for an invalid URL.
 */
export function accessFor(profile: Profile): ProfileAccess {
  const { prometheus, context } = profile.settings
  const contexts = context ? [context] : []
  if (!prometheus?.enabled) return { env: [], hosts: [], contexts }
  return {
    contexts,
    env: containerCredentialsFor(profile, { radar: false }),
    hosts: prometheus.url ? [toHost(prometheus.url)] : [],
  }
}

function toHost(address: string) {
  const host = URL.parse(address)?.host
  if (host) return host
  throw invalidParams({ 'settings.prometheus.url': 'must be a URL that begins with https:// or http://' })
}
