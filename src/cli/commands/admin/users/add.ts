import { readPlans } from '../../../../config/plans.ts'
import { roles } from '../../../../contract/choices.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdminOrNew } from '../command.ts'
import { planFor, planWords } from '../plan.ts'

export default verb({
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
    const next = hasKeys ? `relt admin keys create ${login} --name NAME` : `relt admin users set-password ${login}`
    say(cli, team === undefined ? `Added ${login}` : `Added ${login} to team ${team}`)
    await show(cli, {
      body: account,
      note: [
        `Let the user sign in: ${next}`,
        ...(open ? [`Share clusters: relt admin teams add-member ${open.name} ${login}`] : []),
      ],
    })
  },
})
