import type { Command } from 'commander'
import { readConfig } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { getKey } from './keys.ts'

export function createCommand(context: Context, run = runGet): Command {
  return newCommand('get', 'Print one setting', ['relt config get server', 'relt config get timeout --json'])
    .argument('<setting>', 'name of the setting, such as output')
    .action((key, _options, command) => run(cliOf(context, command), key))
}

export async function runGet(cli: Cli, wanted: string): Promise<void> {
  const { key, value, usually } = getKey(readConfig(cli.context.env), wanted)
  await show(cli, { body: { key, value: value ?? null, default: usually }, verbatim: `${value ?? usually}\n` })
}
