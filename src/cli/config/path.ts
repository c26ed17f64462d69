import type { Command } from 'commander'
import { configFile } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import { renderJson } from '../json.ts'

export function createCommand(context: Context, run = runPath): Command {
  return newCommand('path', 'Print where the settings are kept', [
    'relt config path',
    'relt config path --json',
  ]).action((_options, command) => run(cliOf(context, command)))
}

export async function runPath({ context, io, json }: Cli): Promise<void> {
  const path = configFile(context.env)
  if (json) return io.out(renderJson(io, { path }))
  io.out(`${path}\n`)
}
