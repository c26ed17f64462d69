import type { Command } from 'commander'
import { readConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import { plain } from '../io.ts'
import { renderJson } from '../json.ts'
import { getKey } from './keys.ts'

export function createCommand(context: Context, run = runGet): Command {
  return newCommand('get', 'Print one setting', ['relt config get server', 'relt config get timeout --json'])
    .argument('<key>', 'name of the setting, such as output')
    .action((key, _options, command) => run(cliOf(context, command), key))
}

export async function runGet({ context, io, json }: Cli, wanted: string): Promise<void> {
  const { key, value, usually } = getKey(readConfig(context.env), wanted)
  if (json) return io.out(renderJson(io, { key, value: value ?? null, default: usually }))
  io.out(`${plain(String(value ?? usually))}\n`)
}
