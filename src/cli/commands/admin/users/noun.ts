import { planNames, readPlans } from '../../../../config/plans.ts'
import type { Account } from '../../../../contract/account.ts'
import { roles } from '../../../../contract/choices.ts'
import { plain } from '../../../../render/terminal/terminal.ts'
import { count } from '../../../../util/words.ts'
import { titles } from '../../../../views/titles.ts'
import { confirm, yesOption } from '../../../input/prompt.ts'
import { secretFile } from '../../../input/secret.ts'
import { renderDetails } from '../../../output/details.ts'
import { member, show } from '../../../output/output.ts'
import { say, sayDone } from '../../../output/say.ts'
import { noun, verb } from '../../../program/verb.ts'
import { sayMade, things } from '../../keys/made.ts'
import { openAdmin, openAdminOrNew } from '../command.ts'

/** Plans as users type them. */
const planWords = ['free', 'pro', 'pro-plus'] as const

const planFor = (word: (typeof planWords)[number]) => (word === 'pro-plus' ? 'pro_plus' : word)

export const add = verb({
  name: 'add',
  summary: 'Add a user',
  examples: [
    'relt admin users add ada --team platform',
    'relt admin users add grace --plan pro-plus --role admin --email grace@shop.example',
  ],
  args: [['<name>', 'login name: lower-case letters, digits, dots, hyphens and underscores']],
  options: {
    '--plan <plan>': { help: 'plan of the user', choices: planWords, default: 'free' },
    '--role <role>': { help: 'role; admins can also change the catalog', choices: roles, default: 'user' },
    '--email <address>': 'address for notifications',
  },
  run: async (cli, login, options) => {
    const { plan, role, email } = options
    const { team } = cli.flags
    const admin = await openAdminOrNew(cli)
    const teams = await admin.teams()
    if (team !== undefined) await teams.get(team)
    const account = await admin.addUser({ login, email, role, plan: planFor(plan) })
    if (team !== undefined) await teams.addMember(team, login, { role: 'member' })
    const open = team === undefined ? (await teams.list())[0] : undefined
    const hasKeys = readPlans(cli.context.env)[account.plan].keys > 0
    const next = hasKeys ? `relt keys create NAME --as ${login}` : `relt admin users set-password ${login}`
    say(cli, team === undefined ? `Added ${login}` : `Added ${login} to team ${team}`)
    await show(cli, {
      body: account,
      note: [
        `Let the user sign in: ${next}`,
        ...(open ? [`Share clusters: relt teams add ${open.name} ${login}`] : []),
      ],
    })
  },
})

export const list = verb({
  name: 'list',
  summary: 'List users',
  examples: ['relt admin users list', 'relt admin users list --data /var/lib/relt'],
  run: async (cli) => {
    const users = await (await openAdmin(cli)).listUsers()
    await show(cli, {
      body: { success: true, items: users },
      rows: users,
      columns: ({ color }) => [
        { title: titles.name, value: member('login'), style: color.bold, min: 8 },
        { title: 'Plan', value: (account) => planNames[account.plan] },
        { title: titles.role, value: member('role') },
        { title: 'Keys', value: member('keys'), align: 'right' },
        { title: titles.password, value: passwordFor },
        { title: titles.state, value: toState },
        { title: titles.created, value: member('created'), from: 90 },
        { title: titles.email, value: member('email'), min: 8 },
      ],
      empty: 'No users yet. Add one: relt admin users add NAME',
    })
  },
})

export const showUser = verb({
  name: 'show',
  summary: 'Show a user',
  examples: ['relt admin users show ada', 'relt admin users show ada --json'],
  args: [['<name>', 'login name']],
  run: async (cli, login) => {
    const account = await (await openAdmin(cli)).getUser(login)
    await show(cli, {
      body: account,
      text: (io) =>
        renderDetails(io, [
          ['Name', io.color.bold(plain(account.login))],
          ['Plan', planNames[account.plan]],
          ['Role', account.role],
          ['Email', plain(account.email ?? '-')],
          ['Keys', String(account.keys)],
          ['Password', passwordFor(account) ?? '-'],
          ['State', toState(account)],
          ['Created', account.created],
        ]),
    })
  },
})

export const setPlan = verb({
  name: 'set-plan',
  summary: 'Change the plan of a user',
  examples: ['relt admin users set-plan ada pro-plus', 'relt admin users set-plan ada free'],
  args: [
    ['<name>', 'login name'],
    ['<plan>', 'plan of the user', { choices: planWords }],
  ],
  run: async (cli, login, plan) => {
    const account = await (await openAdmin(cli)).setPlan(login, planFor(plan))
    await sayDone(cli, `Changed the plan of ${login} to ${planNames[account.plan]}`, account)
  },
})

export const setRole = verb({
  name: 'set-role',
  summary: 'Change the role of a user',
  examples: ['relt admin users set-role ada admin', 'relt admin users set-role ada user'],
  args: [
    ['<name>', 'login name'],
    ['<role>', 'role; admins can also change the catalog', { choices: roles }],
  ],
  run: async (cli, login, role) => {
    const account = await (await openAdmin(cli)).setRole(login, role)
    await sayDone(cli, `Changed the role of ${login} to ${account.role}`, account)
  },
})

const setEmail = verb({
  name: 'set-email',
  summary: 'Change the email address of a user',
  examples: ['relt admin users set-email ada ada@shop.example', 'relt admin users set-email ada ""'],
  args: [
    ['<name>', 'login name; `local` is the user of this machine'],
    ['<address>', 'address for notifications; empty: none'],
  ],
  run: async (cli, login, address) => {
    const account = await (await openAdmin(cli)).setEmail(login, address === '' ? null : address)
    const said = account.email === null ? 'has no email address now' : `has ${account.email} now`
    await sayDone(cli, `${login} ${said}`, account)
  },
})

export const setPassword = verb({
  name: 'set-password',
  summary: 'Set the browser password of a user and end their sessions',
  examples: [
    'relt admin users set-password ada',
    'pass show relt/ada | relt admin users set-password ada --secret-file -',
    'relt admin users set-password ada --end-made',
  ],
  args: [['<name>', 'login name']],
  options: {
    '--end-made':
      'also end what came of the old password: keys, feeds, webhooks, team members, exceptions, ends of subjects, baselines, splits',
    ...secretFile('password'),
  },
  run: async (cli, login, options) => {
    const store = await openAdmin(cli)
    // Reports an unknown name before asking for a password.
    await store.getUser(login)
    const { readNewPassword } = await import('../read-password.ts')
    const password = await readNewPassword(cli, options.secretFile)
    const { endMade = false } = options
    const made = sayMade(cli.io, await store.findMadeByPassword(login), 'the old password')
    const ended = await store.setPassword(login, password, { endMade })
    const what = ended ? `, and ended ${things(made)}` : ''
    say(cli, `Set the password of ${login}${what}`)
    const hint = made > 0 && !ended && 'They still work. To end them, add --end-made.'
    await show(cli, { body: { success: true, ...(ended && { ended }) }, note: hint && hint })
  },
})

const disable = verb({
  name: 'disable',
  summary: 'Disable a user: keys, password, sessions and feeds stop working',
  examples: ['relt admin users disable ada', 'relt admin users disable ada --end-made'],
  args: [['<name>', 'login name']],
  options: {
    '--end-made': 'also remove all keys, feeds and webhooks of the user for good',
  },
  run: async (cli, login, { endMade = false }) => {
    const { account, ended } = await (await openAdmin(cli)).disableUser(login, { endMade })
    const removed = ended
      ? `: removed ${count(ended.keys, 'key')}, ${count(ended.feeds, 'feed')} and ${count(ended.webhooks, 'webhook')}`
      : ''
    say(cli, `Disabled ${login}${removed}`)
    await show(cli, {
      body: { ...account, ...(ended && { ended }) },
      note: [`Enable the account again: relt admin users enable ${login}`],
    })
  },
})

const enable = verb({
  name: 'enable',
  summary: 'Enable a user that was disabled',
  examples: ['relt admin users enable ada'],
  args: [['<name>', 'login name']],
  run: async (cli, login) => {
    await sayDone(
      cli,
      `Enabled ${login}: their keys, password and feeds work again`,
      await (await openAdmin(cli)).enableUser(login),
    )
  },
})

export const remove = verb({
  name: 'remove',
  summary: 'Remove a user and all their data',
  examples: ['relt admin users remove ada', 'relt admin users remove ada --yes'],
  args: [['<name>', 'login name']],
  options: yesOption,
  run: async (cli, login, options) => {
    const store = await openAdmin(cli)
    await store.getUser(login)
    await confirm(cli, options, `Permanently remove ${login} with all keys, reports and scan profiles?`)
    await store.removeUser(login)
    await sayDone(cli, `Removed ${login}`, { success: true })
  },
})

export default noun({
  name: 'users',
  summary: 'Manage users of a store',
  examples: ['relt admin users add ada --plan pro', 'relt admin users list'],
  verbs: [add, list, showUser, setPlan, setRole, setEmail, setPassword, disable, enable, remove],
})

const toState = ({ disabled_at }: Account) => (disabled_at === null ? 'enabled' : `disabled ${disabled_at}`)
const passwordFor = (account: Account): string | null => (account.has_password ? 'set' : null)
