import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { Role } from '../../../contract/account.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { type PlanWord, planOf, planWords } from '../plan.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export interface AddOptions extends StoreOptions {
  plan: PlanWord
  role: Role
  email?: string
}

export function createCommand(context: Context, run = runAdd): Command {
  const command = newCommand('add', 'Add an account', [
    'relt admin users add ada --plan pro',
    'relt admin users add grace --plan pro-plus --role admin --email grace@shop.example',
  ])
    .argument('<name>', 'login name: lower-case letters, digits, dot, hyphen, underscore')
    .addOption(new Option('--plan <plan>', 'what the account may do').choices(planWords).default('free'))
    .addOption(new Option('--role <role>', 'admins also change the catalog').choices(Role.options).default('user'))
    .option('--email <address>', 'where notifications go')
  return addStoreOption(command).action((name, options, command) => run(cliOf(context, command), name, options))
}

export async function runAdd({ context, io, json }: Cli, login: string, options: AddOptions): Promise<void> {
  const { data, plan, role, email } = options
  const account = await (await context.admin(data)).addUser({ login, email, role, plan: planOf(plan) })
  if (json) return printJson(io, account)
  io.err(`${io.errColor.green('✓')} Added ${login}\n`)
  const next =
    plan === 'free' ? `relt admin users set-password ${login}` : `relt admin keys create ${login} --name NAME`
  io.err(io.errColor.dim(`To sign in: ${next}\n`))
}
