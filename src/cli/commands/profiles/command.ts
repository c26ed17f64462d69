import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { getCommands } from './addressed.ts'
import { findProfile } from './find.ts'
import { warn } from './remarks.ts'

const shells = {
  powershell: 'powershell_command',
  bash: 'native_command',
  docker: 'docker_command',
} as const

export interface CommandOptions {
  shell?: keyof typeof shells
}

export function createCommand(context: Context, run = runCommand): Command {
  return newCommand('command', 'Print the scan command of a profile', [
    'relt profiles command shop-prod',
    'relt profiles command shop-prod --shell bash',
    'relt profiles command shop-prod --shell docker',
  ])
    .argument('[profile]', 'name or id')
    .addOption(
      new Option('--shell <shell>', 'target: PowerShell (default), a POSIX shell or a container').choices(
        Object.keys(shells),
      ),
    )
    .action((profile, options, command) => run(cliOf(context, command), profile, options))
}

export async function runCommand(cli: Cli, idOrName: string | undefined, options: CommandOptions): Promise<void> {
  const { config_id, name } = await findProfile(cli, idOrName)
  const commands = await getCommands(cli, config_id)
  const line = commands[shells[options.shell ?? 'powershell']]
  warn(cli, commands.warnings ?? [])
  if (line === null && !cli.json) throw noContainer(name)
  await show(cli, { body: commands, verbatim: `${line}\n` })
}

function noContainer(name: string): ReltError {
  return new ReltError('invalid_param', `The container cannot run the profile ${name}.`, {
    hint: 'Use another --shell, or change the profile: relt profiles edit',
  })
}
