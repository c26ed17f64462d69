import type { Command } from 'commander'
import { configFile } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export function createCommand(context: Context, run = runPath): Command {
  return newCommand('path', 'Print the path of the settings file', [
    'relt config path',
    'relt config path --json',
  ]).action((_options, command) => run(cliOf(context, command)))
}

export async function runPath(cli: Cli): Promise<void> {
  const path = configFile(cli.context.env)
  await show(cli, { body: { path }, verbatim: `${path}\n` })
}
