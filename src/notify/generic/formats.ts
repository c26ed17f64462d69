import { discord } from './discord/format.ts'
import { type Format, settingsFor } from './format.ts'
import type { FormatName } from './format-names.ts'
import { googleChat } from './google-chat/format.ts'
import { mattermost, rocketChat } from './mattermost/format.ts'
import { ntfy } from './ntfy/format.ts'
import { pagerDuty } from './pagerduty/format.ts'
import { standard } from './standard/format.ts'

const byName: Record<FormatName, Format> = {
  standard,
  discord,
  mattermost,
  rocketchat: rocketChat,
  'google-chat': googleChat,
  ntfy,
  pagerduty: pagerDuty,
}

export const formats: readonly Format[] = Object.values(byName)

/** The format in the URL, or else that of its host. */
export function toFormat(url: URL | undefined): Format {
  const named = settingsFor(url).get('format')
  const found = formats.find((format) => format.name === named)
  return found ?? (url && formats.find(({ isAt }) => isAt?.(url))) ?? standard
}
