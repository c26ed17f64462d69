import type { Client } from '../../../client/client.ts'
import { teamRoles } from '../../../contract/choices.ts'
import type { AccountSettings } from '../../../contract/subscription.ts'
import type { FollowedProject, Membership } from '../../../contract/team.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { titles } from '../../../views/titles.ts'
import { readText } from '../../input/read-text.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { noun, verb } from '../../program/verb.ts'
import { settingOptions, toChanges } from '../notify/setting-options.ts'
import { chooseTeam, clientFor, findTeams } from './current.ts'
import { followedBy, memberColumns, renderTeam } from './view.ts'

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

async function warnWithoutEmail({ io }: Cli, client: Client, team: string): Promise<void> {
  const { notifications } = await client.call('getTeam', { params: { team } })
  if (notifications?.email) return
  io.err(
    `Team ${team} has no email address, so no report is sent. Set one: relt admin teams set-email ${team} ADDRESS\n`,
  )
}

const list = verb({
  name: 'list',
  summary: 'List your teams and your role in each',
  examples: ['relt teams list', 'relt teams list --json'],
  run: async (cli) => {
    const { current, teams } = await findTeams(cli)
    await show(cli, {
      body: { success: true, team: current, teams },
      rows: teams,
      columns: ({ color }: Io): Column<Membership>[] => [
        { title: titles.team, value: ({ name }) => name, style: (cell) => color.bold(cell), min: 8 },
        { title: titles.role, value: ({ role }) => role },
        { title: 'Default', value: ({ is_default }) => (is_default ? 'yes' : 'no') },
        { title: titles.current, value: ({ name }) => (name === current?.name ? 'yes' : 'no') },
      ],
      empty: 'You are in no team. Clusters, runs and profiles belong to your own account.',
    })
  },
})

const showTeam = verb({
  name: 'show',
  summary: 'Show a team and its members',
  examples: ['relt teams show', 'relt teams show platform --json'],
  args: [['[team]', 'team name (default: the team that you act for)']],
  run: async (cli, named) => {
    const team = await chooseTeam(cli, named)
    const found = await cli.call('getTeam', { params: { team } })
    await show(cli, { body: found, text: (io) => renderTeam(io, found) })
  },
})

const members = verb({
  name: 'members',
  summary: 'List the members of a team',
  examples: ['relt teams members', 'relt teams members platform -o csv'],
  args: [['[team]', 'team name (default: the team that you act for)']],
  run: async (cli, named) => {
    const team = await chooseTeam(cli, named)
    const found = await cli.call('getTeam', { params: { team } })
    await show(cli, { body: found, rows: found.items, columns: memberColumns })
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
    await show<FollowedProject>(cli, {
      body: found,
      rows: found.items,
      columns: () => [
        { title: titles.project, value: ({ name }) => name, min: 8 },
        { title: 'Followed by', value: followedBy, min: 10 },
      ],
      page: found,
      empty: `Neither ${team} nor a member follows a project. Follow one: relt subs add PROJECT --team ${team}`,
    })
  },
})

const add = verb({
  name: 'add',
  summary: 'Add a member to your team (owners only)',
  examples: ['relt teams add grace', 'relt teams add ci --role member --team platform'],
  args: [['<login>', 'login name of the account']],
  options: {
    '--role <role>': {
      help: 'viewers read, members also upload and edit, owners also delete (default: viewer)',
      choices: teamRoles,
    },
  },
  run: async (cli, login, { role = 'viewer' }) => {
    const team = await chooseTeam(cli)
    const answer = await cli.call('addTeamMember', { params: { team }, body: { login, role } })
    await sayDone(cli, `Added ${login} to team ${team} as ${role}`, answer)
  },
})

const setRole = verb({
  name: 'set-role',
  summary: 'Change the role of a member of your team',
  examples: ['relt teams set-role grace member', 'relt teams set-role ada owner --team platform'],
  args: [
    ['<login>', 'login name of the member'],
    ['<role>', 'viewers read, members also upload and edit, owners also delete', { choices: teamRoles }],
  ],
  run: async (cli, login, role) => {
    const team = await chooseTeam(cli)
    const answer = await cli.call('setTeamRole', { params: { team, login }, body: { role } })
    await sayDone(cli, `Changed the role of ${login} in team ${team} to ${role}`, answer)
  },
})

const remove = verb({
  name: 'remove',
  summary: 'Remove a member from your team; the runs stay with the team',
  examples: ['relt teams remove grace', 'relt teams remove ci --team platform --json'],
  args: [['<login>', 'login name of the member']],
  run: async (cli, login) => {
    const team = await chooseTeam(cli)
    const answer = await cli.call('removeTeamMember', { params: { team, login } })
    await sayDone(cli, `Removed ${login} from team ${team}`, answer)
  },
})

export default noun({
  examples: [
    'relt teams list',
    'relt teams members',
    'relt teams subs',
    'relt teams set --quiet-hours 22:00-07:00',
    'relt teams add grace --role member',
  ],
  verbs: [list, showTeam, members, subs, set, add, setRole, remove],
})
