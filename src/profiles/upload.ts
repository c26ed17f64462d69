import type { Profile } from './profile.ts'

type ProfileWithSettings = Pick<Profile, 'settings'>
type Radar = NonNullable<Profile['settings']['radar']>
/** Settings of `radar` with the URL of their server. */
export type RadarWithServer = Radar & { api_base_url: string }

/**
 * Settings of `radar` for the scanner. Without a URL the scanner contacts its vendor's public service, so a profile without
 * a server passes none.
 */
export function toRadar({ settings: { radar } }: ProfileWithSettings): RadarWithServer | undefined {
  const { api_base_url } = radar ?? {}
  return api_base_url ? { ...radar, api_base_url } : undefined
}

/** Adds the URL of the profile's server, unless the profile names a server itself. */
export function withServer<P extends ProfileWithSettings>(profile: P, server: string | undefined) {
  const { radar } = profile.settings
  if (!radar || !server || toRadar(profile)) return profile
  return { ...profile, settings: { ...profile.settings, radar: { ...radar, api_base_url: server } } }
}

export function contactsServer(radar: Radar | undefined) {
  return Boolean(radar?.upload || radar?.compare || radar?.fetch_config)
}
