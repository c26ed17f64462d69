import { invalidParams } from '../errors.ts'
import { containerCredentialsOf } from './credentials.ts'
import type { Profile } from './profile.ts'

/** Variables that a scan reads from its machine, and the hosts that may receive them. */
export interface ProfileAccess {
  /** Names of environment variables. */
  env: string[]
  /** With their ports: `prometheus.shop.example:9090`. */
  hosts: string[]
}

/**
 * Variables and hosts that the profile makes the scanner use, besides the cluster and its provider. Settings of `radar` do not
 * count, because `relt scan run` passes none of them. Throws `invalid_param` for an invalid address.
 */
export function accessOf(profile: Profile): ProfileAccess {
  const { prometheus } = profile.settings
  if (!prometheus?.enabled) return { env: [], hosts: [] }
  return {
    env: containerCredentialsOf(profile, { radar: false }),
    hosts: prometheus.url ? [hostOf(prometheus.url)] : [],
  }
}

function hostOf(address: string): string {
  const host = URL.parse(address)?.host
  if (host) return host
  throw invalidParams({ 'settings.prometheus.url': 'must be a URL that begins with https:// or http://' })
}
