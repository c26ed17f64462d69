import type { RouteCaller } from '../../../client/client.ts'
import { teamRoles } from '../../../contract/choices.ts'
import type { AccountSettings } from '../../../contract/subscription.ts'
import type { Membership } from '../../../contract/team.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { count } from '../../../util/words.ts'
import { titles } from '../../../views/titles.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import { readText } from '../../input/read-text.ts'
import type { Io } from '../../output/io.ts'
import { member, show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { say, sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { noun, verb } from '../../program/verb.ts'
import { openAdmin } from '../admin/command.ts'
import { settingOptions, toChanges } from '../notify/setting-options.ts'
import { chooseTeam, clientFor, findTeams } from './current.ts'
import { followedBy, renderTeam } from './view.ts'

const openTeams = async (cli: Cli) => (await openAdmin(cli)).teams()

const memberArgs = [
  ['<team>', 'team name'],
  ['<login>', 'login name of the account'],
] as const

const set = verb({
  name: 'set',
  summary: 'Change the notification settings and gate policy of a team',
  examples: [
    'relt teams set --cluster-events all',
    'relt teams set platform --quiet-hours 22:00-07:00 --digest-hour 8 --time-zone Europe/Berlin',
    'relt teams set platform --fleet-report weekly',
    'relt teams set --gate-policy relt.yaml',
  ],
  args: [['[team]', 'team name (default: the team that you act for)']],
  options: {
    ...settingOptions,
    '--gate-policy <file>': 'YAML file with the rules of gates that have none of their own; - for standard input',
    '--no-gate-policy': 'remove the policy of gates',
  },
  epilog: "Members keep their own settings. `relt subs` and `relt webhooks` take --team for the team's own.",
  run: async (cli, named, { gatePolicy, ...options }) => {
    const team = await chooseTeam(cli, named)
    const policy = typeof gatePolicy === 'string' ? await readText(cli.context, gatePolicy) : null
    const change: AccountSettings =
      gatePolicy === undefined || Object.keys(options).length > 0 ? toChanges(options) : {}
    const client = await clientFor(cli, team)
    const names = Object.keys(change)
    const saved = names.length === 0 ? undefined : await client.call('updateAccountSettings', { body: change })
    const stored = gatePolicy === undefined ? undefined : await client.call('setGatePolicy', { body: { policy } })
    const changed = [...names, ...(stored ? ['gate_policy'] : [])]
    if (change.fleet_report === 'weekly') await warnWithoutEmail(cli, client, team)
    await sayDone(cli, `Changed ${changed.join(', ')} of team ${team}`, { ...saved, ...stored, success: true })
  },
})

async function warnWithoutEmail({ io }: Cli, client: RouteCaller, team: string) {
  const { notifications } = await client.call('getTeam', { params: { team } })
  if (notifications?.email) return
  io.err(`Team ${team} has no email address, so no report is sent. Set one: relt teams set-email ${team} ADDRESS\n`)
}

const list = verb({
  name: 'list',
  summary: 'List your teams and your role in each, or all teams of a store',
  examples: ['relt teams list', 'relt teams list --json'],
  run: async (cli) => {
    const { current, teams } = await findTeams(cli)
    await show(cli, {
      body: { success: true, team: current, teams },
      rows: teams,
      columns: ({ color }: Io): Column<Membership>[] => [
        { title: titles.team, value: member('name'), style: color.bold, min: 8 },
        { title: titles.role, value: member('role') },
        { title: 'Default', value: ({ is_default }) => (is_default ? 'yes' : 'no') },
        { title: titles.current, value: ({ name }) => (name === current?.name ? 'yes' : 'no') },
      ],
      empty: (await cli.context.server())
        ? 'You are in no team. Clusters, runs and profiles belong to your own account.'
        : 'No teams yet. Create one: relt teams create NAME --owner LOGIN',
    })
  },
})

const showTeam = verb({
  name: 'show',
  summary: 'Show a team and its members',
  examples: ['relt teams show', 'relt teams show platform --json'],
  args: [['[team]', 'team name (default: the team that you act for)']],
  run: async (cli, named) => {
    const found = await cli.call('getTeam', { params: { team: await chooseTeam(cli, named) } })
    await show(cli, { body: found, text: (io) => renderTeam(io, found) })
  },
})

const subs = verb({
  name: 'subs',
  summary: 'List the projects that a team and its members follow',
  examples: ['relt teams subs', 'relt teams subs platform -o csv'],
  args: [['[team]', 'team name (default: the team that you act for)']],
  options: pageOptions,
  run: async (cli, named, options) => {
    const team = await chooseTeam(cli, named)
    const found = await cli.call('listTeamSubscriptions', { params: { team }, query: pageQuery(options) })
    await show(cli, {
      body: found,
      rows: found.items,
      columns: () => [
        { title: titles.project, value: member('name'), min: 8 },
        { title: 'Followed by', value: followedBy, min: 10 },
      ],
      page: found,
      empty: `Neither ${team} nor a member follows a project. Follow one: relt subs add PROJECT --team ${team}`,
    })
  },
})

const add = verb({
  name: 'add',
  summary: 'Add a member to a team (owners only)',
  examples: ['relt teams add platform grace', 'relt teams add platform ci --role member'],
  args: memberArgs,
  options: {
    '--role <role>': {
      help: 'viewers read, members also upload and edit, owners also delete (default: viewer)',
      choices: teamRoles,
    },
  },
  run: async (cli, team, login, { role = 'viewer' }) => {
    const answer = await cli.call('addTeamMember', { params: { team }, body: { login, role } })
    say(cli, `Added ${login} to team ${team} as ${role}`)
    const own = `Earlier runs of ${login} stay private until you run: relt admin adopt --user ${login} --team ${team}`
    await show(cli, { body: answer, note: !(await cli.context.server()) && own })
  },
})

const setRole = verb({
  name: 'set-role',
  summary: 'Change the role of a member',
  examples: ['relt teams set-role platform grace member', 'relt teams set-role platform ada owner'],
  args: [
    ...memberArgs,
    ['<role>', 'viewers read, members also upload and edit, owners also delete', { choices: teamRoles }],
  ],
  run: async (cli, team, login, role) => {
    await sayDone(
      cli,
      `Changed the role of ${login} in team ${team} to ${role}`,
      await cli.call('setTeamRole', { params: { team, login }, body: { role } }),
    )
  },
})

const remove = verb({
  name: 'remove',
  summary: 'Remove a member from a team; the runs stay with the team',
  examples: ['relt teams remove platform grace', 'relt teams remove platform ci --json'],
  args: memberArgs,
  run: async (cli, team, login) => {
    await sayDone(
      cli,
      `Removed ${login} from team ${team}`,
      await cli.call('removeTeamMember', { params: { team, login } }),
    )
  },
})

const create = verb({
  name: 'create',
  summary: 'Create a team',
  examples: ['relt teams create platform --owner ada', 'relt teams create platform'],
  args: [['<name>', 'team name: lower-case letters, digits, dots, hyphens and underscores']],
  options: {
    '--owner <login>': 'user who becomes the first owner',
  },
  run: async (cli, name, { owner }) => {
    const team = await (await openTeams(cli)).create(name, owner)
    say(cli, `Created team ${name}`)
    await show(cli, {
      body: team,
      note: owner === undefined && `It has no owner. Add one: relt teams add ${name} LOGIN --role owner`,
    })
  },
})

const setEmail = verb({
  name: 'set-email',
  summary: 'Change the email address of a team',
  examples: ['relt teams set-email platform platform@shop.example', 'relt teams set-email platform "" --json'],
  args: [
    ['<team>', 'team name'],
    ['<address>', 'address for notifications of the team; empty: none'],
  ],
  run: async (cli, name, address) => {
    const team = await (await openTeams(cli)).setEmail(name, address === '' ? null : address)
    const said = address === '' ? 'has no email address now' : `has ${address} now`
    await sayDone(cli, `Team ${name} ${said}`, team)
  },
})

const rename = verb({
  name: 'rename',
  summary: 'Rename a team',
  examples: ['relt teams rename default platform', 'relt teams rename platform infra --json'],
  args: [
    ['<team>', 'team name'],
    ['<new-name>', 'new name'],
  ],
  run: async (cli, name, newName) => {
    await sayDone(cli, `Renamed team ${name} to ${newName}`, await (await openTeams(cli)).rename(name, newName))
  },
})

const deleteTeam = verb({
  name: 'delete',
  summary: 'Delete a team with its clusters, runs and scan profiles',
  examples: ['relt teams delete platform', 'relt teams delete platform --yes'],
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
  examples: [
    'relt teams list',
    'relt teams subs',
    'relt teams set --quiet-hours 22:00-07:00',
    'relt teams add platform grace --role member',
    'relt teams create platform --owner ada --data /var/lib/relt',
  ],
  options: {
    '--data <folder>': 'data folder or postgres:// address of a store whose teams these are, without a server',
  },
  verbs: [list, showTeam, subs, set, add, setRole, remove, create, rename, setEmail, deleteTeam],
})
