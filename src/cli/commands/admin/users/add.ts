import { type Command, Option } from 'commander'
import { readPlans } from '../../../../config/plans.ts'
import type { Context } from '../../../../context.ts'
import type { Role } from '../../../../contract/account.ts'
import { roles } from '../../../../contract/choices.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { type PlanWord, planOf, planWords } from '../plan.ts'

export interface AddOptions {
  plan: PlanWord
  role: Role
  email?: string
  /** The global option. */
  team?: string
}

export function createCommand(context: Context, run = runAdd): Command {
  return newCommand('add', 'Add a user', [
    'relt admin users add ada --team platform',
    'relt admin users add grace --plan pro-plus --role admin --email grace@shop.example',
  ])
    .argument('<name>', 'login name: lower-case letters, digits, dots, hyphens and underscores')
    .addOption(new Option('--plan <plan>', 'plan of the user').choices(planWords).default('free'))
    .addOption(new Option('--role <role>', 'role; admins can also change the catalog').choices(roles).default('user'))
    .option('--email <address>', 'address for notifications')
    .action((name, _, command) => run(adminCliOf(context, command), name, command.optsWithGlobals()))
}

export async function runAdd(cli: AdminCli, login: string, options: AddOptions): Promise<void> {
  const { plan, role, email, team } = options
  const admin = await cli.adminOrNew()
  const teams = await admin.teams()
  if (team !== undefined) await teams.get(team)
  const account = await admin.addUser({ login, email, role, plan: planOf(plan) })
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
}
