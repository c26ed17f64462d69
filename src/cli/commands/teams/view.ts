import type { FollowedProject, TeamDetails, TeamNotifications } from '../../../contract/team.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { notificationLines } from '../../../views/team.ts'
import { titles } from '../../../views/titles.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'
import { member } from '../../output/output.ts'

export function renderTeam(io: Io, team: TeamDetails) {
  const { name, role, clusters, runs, profiles, created, items, notifications } = team
  const details = renderDetails(io, [
    ['Team', io.color.bold(plain(name))],
    ['Your role', role],
    ['Clusters', String(clusters)],
    ['Runs', String(runs)],
    ['Profiles', String(profiles)],
    ['Created', created],
    ...(notifications ? notificationDetails(notifications) : []),
  ])
  const columns: Column<TeamDetails['items'][number]>[] = [
    { title: titles.member, value: member('login'), style: io.color.bold, min: 8 },
    { title: titles.role, value: member('role') },
  ]
  return `${details}\n${renderTable(io, columns, items)}`
}

function notificationDetails(notifications: TeamNotifications): [string, string][] {
  const { gate_policy_changed_at: changed } = notifications
  return [
    ...notificationLines(notifications).map(({ title, text }): [string, string] => [title, plain(text)]),
    ['Gate policy', changed === null ? 'none' : `set ${changed}`],
  ]
}

/** The team and logins, such as `team, ada`. */
export const followedBy = ({ followers, by_team }: Pick<FollowedProject, 'followers' | 'by_team'>) =>
  [...(by_team ? ['the team'] : []), ...followers].join(', ')
