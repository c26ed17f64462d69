import { Argument, type Command } from 'commander'
import { planNames } from '../../../config/plans.ts'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { type PlanWord, planOf, planWords } from '../plan.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export function createCommand(context: Context, run = runSetPlan): Command {
  const command = newCommand('set-plan', 'Change the plan of an account, at once', [
    'relt admin users set-plan ada pro-plus',
    'relt admin users set-plan ada free',
  ])
    .argument('<name>', 'login name')
    .addArgument(new Argument('<plan>', 'what the account may do').choices(planWords))
  return addStoreOption(command).action((name, plan, options, command) =>
    run(cliOf(context, command), name, { ...options, plan }),
  )
}

export async function runSetPlan(
  { context, io, json }: Cli,
  login: string,
  options: StoreOptions & { plan: PlanWord },
): Promise<void> {
  const account = await (await context.admin(options.data)).setPlan(login, planOf(options.plan))
  if (json) return printJson(io, account)
  io.err(`${io.errColor.green('✓')} ${login} has the plan ${planNames[account.plan]}\n`)
}
