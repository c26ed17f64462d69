import type { TeamDetails } from '../../../contract/team.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'

type Member = TeamDetails['items'][number]

export const memberColumns = ({ color }: Io): Column<Member>[] => [
  { title: 'Member', value: ({ login }) => login, style: (cell) => color.bold(cell), min: 8, isName: true },
  { title: 'Role', value: ({ role }) => role },
]

export function renderTeam(io: Io, { name, role, clusters, runs, profiles, created, items }: TeamDetails): string {
  const details = renderDetails(io, [
    ['Team', io.color.bold(plain(name))],
    ['Your role', role],
    ['Clusters', String(clusters)],
    ['Runs', String(runs)],
    ['Profiles', String(profiles)],
    ['Created', created],
  ])
  return `${details}\n${renderTable(io, memberColumns(io), items)}`
}
