import type { WholeTeam } from '../../../../admin/teams.ts'
import type { Team, TeamMember } from '../../../../contract/team.ts'
import { type Column, renderTable } from '../../../../render/terminal/table.ts'
import { plain } from '../../../../render/terminal/terminal.ts'
import { titles } from '../../../../views/titles.ts'
import { renderDetails } from '../../../output/details.ts'
import type { Io } from '../../../output/io.ts'
import { type Remark, warning } from '../../../output/remarks.ts'

export const teamColumns = ({ color }: Io): Column<Team>[] => [
  { title: titles.name, value: (team) => team.name, style: (cell) => color.bold(cell), min: 8 },
  { title: 'Members', value: (team) => String(team.members), align: 'right' },
  { title: titles.clusters, value: (team) => String(team.clusters), align: 'right' },
  { title: titles.runs, value: (team) => String(team.runs), align: 'right' },
  { title: 'Profiles', value: (team) => String(team.profiles), align: 'right' },
  { title: titles.created, value: (team) => team.created, from: 80 },
]

const memberColumns: Column<TeamMember>[] = [
  { title: titles.member, value: ({ login }) => login, min: 8 },
  { title: titles.role, value: ({ role }) => role },
  { title: 'Default team', value: (member) => (member.is_default ? 'yes' : 'no') },
]

export function renderTeam(io: Io, team: WholeTeam): string {
  const details = renderDetails(io, [
    ['Name', io.color.bold(team.name)],
    ['Clusters', String(team.clusters)],
    ['Runs', String(team.runs)],
    ['Profiles', String(team.profiles)],
    ['Created', team.created],
    ...(team.email === null ? [] : [['Email', plain(team.email)] satisfies [string, string]]),
  ])
  return team.member_list.length === 0 ? details : `${details}\n${renderTable(io, memberColumns, team.member_list)}`
}

/** Warns about a team without members or without owners. */
export function formatRemarks({ name, member_list }: WholeTeam): Remark[] {
  if (member_list.length === 0) {
    return [warning(`Team ${name} has no members. Add one: relt admin teams add-member ${name} LOGIN`)]
  }
  if (member_list.some(({ role }) => role === 'owner')) return []
  const text = `Team ${name} has no owner, so nobody can delete its runs: relt admin teams set-role ${name} LOGIN owner`
  return [warning(text)]
}
