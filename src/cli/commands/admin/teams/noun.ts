import type { WholeTeam } from '../../../../admin/teams.ts'
import { teamRoles } from '../../../../contract/choices.ts'
import type { Team, TeamMember } from '../../../../contract/team.ts'
import { type Column, renderTable } from '../../../../render/terminal/table.ts'
import { plain } from '../../../../render/terminal/terminal.ts'
import { count } from '../../../../util/words.ts'
import { titles } from '../../../../views/titles.ts'
import { confirm, yesOption } from '../../../input/prompt.ts'
import { renderDetails } from '../../../output/details.ts'
import type { Io } from '../../../output/io.ts'
import { show } from '../../../output/output.ts'
import { type Remark, warning } from '../../../output/remarks.ts'
import { say, sayDone } from '../../../output/say.ts'
import type { Cli } from '../../../program/command.ts'
import { noun, verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

const openTeams = async (cli: Cli) => (await openAdmin(cli)).teams()

const memberArgs = [
  ['<team>', 'team name'],
  ['<login>', 'login name'],
] as const

const create = verb({
  name: 'create',
  summary: 'Create a team',
  examples: ['relt admin teams create platform --owner ada', 'relt admin teams create platform'],
  args: [['<name>', 'team name: lower-case letters, digits, dots, hyphens and underscores']],
  options: {
    '--owner <login>': 'user who becomes the first owner',
  },
  run: async (cli, name, { owner }) => {
    const team = await (await openTeams(cli)).create(name, owner)
    say(cli, `Created team ${name}`)
    await show(cli, { body: team, remarks: formatRemarks(team) })
  },
})

const list = verb({
  name: 'list',
  summary: 'List teams',
  examples: ['relt admin teams list', 'relt admin teams list --data /var/lib/relt'],
  run: async (cli) => {
    const teams = await (await openTeams(cli)).list()
    const empty = 'No teams yet. Create one: relt admin teams create NAME --owner LOGIN'
    await show(cli, { body: { success: true, items: teams }, rows: teams, columns: teamColumns, empty })
  },
})

const showTeam = verb({
  name: 'show',
  summary: 'Show a team and its members',
  examples: ['relt admin teams show platform', 'relt admin teams show platform --json'],
  args: [['<team>', 'team name']],
  run: async (cli, name) => {
    const team = await (await openTeams(cli)).get(name)
    await show(cli, { body: team, text: (io) => renderTeam(io, team), remarks: formatRemarks(team) })
  },
})

const addMember = verb({
  name: 'add-member',
  summary: 'Add a user to a team',
  examples: [
    'relt admin teams add-member platform grace',
    'relt admin teams add-member platform ci --role member --default',
  ],
  args: memberArgs,
  options: {
    '--role <role>': {
      help: 'viewers read, members also upload and edit, owners also delete',
      choices: teamRoles,
      default: 'member',
    },
    '--default': "make it the user's default team; the first team always is",
  },
  run: async (cli, name, login, { role, default: isDefault = false }) => {
    const team = await (await openTeams(cli)).addMember(name, login, { role, isDefault })
    say(cli, `Added ${login} to team ${name} as ${role}`)
    const own = `Earlier runs of ${login} stay private until you run: relt admin adopt --user ${login} --team ${name}`
    await show(cli, { body: team, remarks: formatRemarks(team), note: own })
  },
})

const removeMember = verb({
  name: 'remove-member',
  summary: 'Remove a user from a team; the runs stay with the team',
  examples: ['relt admin teams remove-member platform grace', 'relt admin teams remove-member platform ci --json'],
  args: memberArgs,
  run: async (cli, name, login) => {
    const team = await (await openTeams(cli)).removeMember(name, login)
    say(cli, `Removed ${login} from team ${name}`)
    await show(cli, { body: team, remarks: formatRemarks(team) })
  },
})

const setRole = verb({
  name: 'set-role',
  summary: 'Change the role of a member',
  examples: ['relt admin teams set-role platform grace viewer', 'relt admin teams set-role platform ada owner'],
  args: [
    ...memberArgs,
    ['<role>', 'viewers read, members also upload and edit, owners also delete', { choices: teamRoles }],
  ],
  run: async (cli, name, login, role) => {
    const team = await (await openTeams(cli)).setRole(name, login, role)
    say(cli, `Changed the role of ${login} in team ${name} to ${role}`)
    await show(cli, { body: team, remarks: formatRemarks(team) })
  },
})

const setEmail = verb({
  name: 'set-email',
  summary: 'Change the email address of a team',
  examples: [
    'relt admin teams set-email platform platform@shop.example',
    'relt admin teams set-email platform "" --json',
  ],
  args: [
    ['<team>', 'team name'],
    ['<address>', 'address for notifications of the team; empty: none'],
  ],
  run: async (cli, name, address) => {
    const team = await (await openTeams(cli)).setEmail(name, address === '' ? null : address)
    const said = team.email === null ? 'has no email address now' : `has ${team.email} now`
    await sayDone(cli, `Team ${name} ${said}`, team)
  },
})

const rename = verb({
  name: 'rename',
  summary: 'Rename a team',
  examples: ['relt admin teams rename default platform', 'relt admin teams rename platform infra --json'],
  args: [
    ['<team>', 'team name'],
    ['<new-name>', 'new name'],
  ],
  run: async (cli, name, newName) => {
    const team = await (await openTeams(cli)).rename(name, newName)
    await sayDone(cli, `Renamed team ${name} to ${newName}`, team)
  },
})

const deleteTeam = verb({
  name: 'delete',
  summary: 'Delete a team with its clusters, runs and scan profiles',
  examples: ['relt admin teams delete platform', 'relt admin teams delete platform --yes'],
  args: [['<team>', 'team name']],
  options: yesOption,
  run: async (cli, name, options) => {
    const teams = await openTeams(cli)
    const { clusters, runs, profiles } = await teams.get(name)
    const what = `${count(clusters, 'cluster')}, ${count(runs, 'run')} and ${count(profiles, 'scan profile')}`
    await confirm(cli, options, `Permanently delete team ${name} with ${what}?`)
    await teams.delete(name)
    await sayDone(cli, `Deleted team ${name}`, { success: true })
  },
})

export default noun({
  name: 'teams',
  summary: 'Manage teams, which share clusters and scan profiles',
  examples: [
    'relt admin teams create platform --owner ada',
    'relt admin teams add-member platform grace --role viewer',
  ],
  verbs: [create, list, showTeam, addMember, removeMember, setRole, setEmail, rename, deleteTeam],
})

const teamColumns = ({ color }: Io): Column<Team>[] => [
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

function renderTeam(io: Io, team: WholeTeam): string {
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
function formatRemarks({ name, member_list }: WholeTeam): Remark[] {
  if (member_list.length === 0) {
    return [warning(`Team ${name} has no members. Add one: relt admin teams add-member ${name} LOGIN`)]
  }
  if (member_list.some(({ role }) => role === 'owner')) return []
  const text = `Team ${name} has no owner, so nobody can delete its runs: relt admin teams set-role ${name} LOGIN owner`
  return [warning(text)]
}
