import { Argument, type Command } from 'commander'
import { planNames } from '../../../../config/plans.ts'
import type { Context } from '../../../../context.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { type PlanWord, planOf, planWords } from '../plan.ts'

export function createCommand(context: Context, run = runSetPlan): Command {
  return newCommand('set-plan', 'Change the plan of a user', [
    'relt admin users set-plan ada pro-plus',
    'relt admin users set-plan ada free',
  ])
    .argument('<name>', 'login name')
    .addArgument(new Argument('<plan>', 'plan of the user').choices(planWords))
    .action((name, plan, _, command) => run(adminCliOf(context, command), name, plan))
}

export async function runSetPlan(cli: AdminCli, login: string, plan: PlanWord): Promise<void> {
  const account = await (await cli.admin()).setPlan(login, planOf(plan))
  await sayDone(cli, `Changed the plan of ${login} to ${planNames[account.plan]}`, account)
}
