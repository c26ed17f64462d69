import type { Profile } from './profile.ts'
import { contactsServer, toRadar, withServer } from './upload.ts'

/** Remarks about a scan that a profile's author may not expect, one line each. */
export function remarksOn(profile: Pick<Profile, 'settings'>, server?: string) {
  const remarks = [uploadRemark(withServer(profile, server)), namespaceRemark(profile)]
  const { context } = profile.settings
  if (context) {
    remarks.push(`relt scan run uses the context ${JSON.stringify(context)}. The scanner itself uses the current one.`)
  }
  return remarks.filter((remark) => remark !== undefined)
}

function uploadRemark(profile: Pick<Profile, 'settings'>) {
  const { radar } = profile.settings
  if (!contactsServer(radar)) return undefined
  const address = toRadar(profile)?.api_base_url
  if (address === undefined) {
    return 'The profile has no server, so nothing is uploaded, compared or fetched. Set radar.api_base_url.'
  }
  return `The scanner ${radar?.upload ? 'uploads to' : 'contacts'} ${JSON.stringify(address).slice(1, -1)}`
}

/** Shown wherever the profile is, because the scanner itself does not mention it. */
export function namespaceRemark({
  settings: { excluded_namespaces, output },
}: Pick<Profile, 'settings'>): string | undefined {
  if (!excluded_namespaces?.length || output?.excludeNamespaces) return undefined
  return 'The scanner still scans excluded_namespaces, because output.excludeNamespaces is off.'
}
