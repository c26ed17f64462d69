import type { FollowedProject, TeamDetails, TeamNotifications } from '../../../contract/team.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count } from '../../../util/words.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'

type Member = TeamDetails['items'][number]

export const memberColumns = ({ color }: Io): Column<Member>[] => [
  { title: 'Member', value: ({ login }) => login, style: (cell) => color.bold(cell), min: 8, isName: true },
  { title: 'Role', value: ({ role }) => role },
]

export function renderTeam(io: Io, team: TeamDetails): string {
  const { name, role, clusters, runs, profiles, created, items, notifications } = team
  const details = renderDetails(io, [
    ['Team', io.color.bold(plain(name))],
    ['Your role', role],
    ['Clusters', String(clusters)],
    ['Runs', String(runs)],
    ['Profiles', String(profiles)],
    ['Created', created],
    ...(notifications ? notificationLines(notifications) : []),
  ])
  return `${details}\n${renderTable(io, memberColumns(io), items)}`
}

function notificationLines({ email, channels, subscriptions, settings, gate_policy_changed_at }: TeamNotifications) {
  const { quiet_hours, digest_hour, digest_weekday, time_zone, cluster_events } = settings
  const lines: [string, string][] = [
    ['Channels', plain(channels.map(({ channel, address }) => `${channel} ${address}`).join(', ') || 'none')],
    ['Email', plain(email ?? 'none')],
    ['Follows', count(subscriptions, 'project')],
    ['Cluster events', plain(cluster_events || 'none')],
    ['Quiet hours', plain(quiet_hours || 'none')],
    ['Digests', plain(`at ${digest_hour}:00 ${time_zone}, weekly on ${digest_weekday}`)],
    ['Gate policy', gate_policy_changed_at === null ? 'none' : `set ${gate_policy_changed_at}`],
  ]
  return lines
}

/** The team and logins, such as `team, ada`. */
export const followedBy = ({ followers, by_team }: Pick<FollowedProject, 'followers' | 'by_team'>): string =>
  [...(by_team ? ['the team'] : []), ...followers].join(', ')
