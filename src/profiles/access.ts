import { invalidParams } from '../errors.ts'
import { containerCredentialsOf } from './credentials.ts'
import type { Profile } from './settings.ts'

/** What a scan takes from the machine it runs on, and the hosts that it may give it to. */
export interface ProfileAccess {
  /** Names of environment variables. */
  env: string[]
  /** With their ports: `prometheus.shop.example:9090`. */
  hosts: string[]
}

/**
 * What the profile makes the scanner read and contact beside the cluster and its provider. The settings of `radar` do not
 * count: `relt scan run` passes none of them. Throws `invalid_param` for an address that cannot be read.
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
  throw invalidParams({ 'settings.prometheus.url': 'an address that begins with https:// or http://' })
}
