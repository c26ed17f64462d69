import type { Command } from 'commander'
import { readConfig } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List aliases and the commands they run', [
    'relt alias list',
    'relt alias list --json',
  ]).action((_options, command) => run(cliOf(context, command)))
}

export async function runList(cli: Cli): Promise<void> {
  const aliases = Array.from(readConfig(cli.context.env).aliases, ([name, command]) => ({ name, command }))
  await show(cli, {
    body: { aliases },
    rows: aliases,
    columns: () => [
      { title: 'Alias', value: ({ name }) => name },
      { title: 'Command', value: ({ command }) => command, min: 20 },
    ],
    empty: "No aliases yet. Create one: relt alias set fresh 'reports freshness'",
  })
}
