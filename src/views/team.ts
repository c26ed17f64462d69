import type { TeamNotifications } from '../contract/team.ts'
import { count } from '../util/words.ts'
import { titles } from './titles.ts'

interface Line {
  title: string
  text: string
}

/** Notification settings of an account or team. */
export function settingLines(settings: TeamNotifications['settings']): Line[] {
  const { quiet_hours, digest_hour = 8, digest_weekday = 'monday', time_zone = 'UTC', cluster_events } = settings
  return [
    { title: 'Cluster events', text: cluster_events || 'none' },
    { title: 'Quiet hours', text: quiet_hours || 'none' },
    { title: 'Digests', text: `at ${digest_hour}:00 ${time_zone}, weekly on ${digest_weekday}` },
    { title: 'Owners in digests', text: settings.owner_scope || 'all' },
    { title: 'Fleet report', text: settings.fleet_report ?? 'off' },
  ]
}

/** Addresses and events of a team's notifications. */
export const notificationLines = ({ email, channels, subscriptions, settings }: TeamNotifications): Line[] => [
  {
    title: titles.channels,
    text: channels.map(({ channel, address }) => `${channel} ${address}`).join(', ') || 'none',
  },
  { title: titles.email, text: email ?? 'none' },
  { title: 'Follows', text: count(subscriptions, 'project') },
  ...settingLines(settings),
]
