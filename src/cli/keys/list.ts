import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { ApiKey } from '../../contract/api-key.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import type { Io } from '../io.ts'
import { show } from '../output.ts'
import type { Column } from '../table.ts'
import { when } from '../time.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'Your application passwords, without the secrets', [
    'relt keys list',
    'relt keys list --json',
  ]).action((_options, command) => run(cliOf(context, command)))
}

export async function runList(cli: Cli): Promise<void> {
  const client = await cli.context.client()
  const found = await client.call('listKeys', {})
  const { count, limit } = found
  await show(cli, { body: found, rows: found.keys, columns, empty: `No keys yet; the plan allows ${limit}.` })
  if (!cli.json && count > 0) cli.io.err(cli.io.errColor.dim(`${count} of ${limit} keys that the plan allows.\n`))
}

const columns = ({ color, isTerminal }: Io, now: number): Column<ApiKey>[] => [
  { title: 'Uuid', value: (key) => key.uuid },
  { title: 'Name', value: (key) => key.name, style: (cell) => color.bold(cell), min: 8 },
  { title: 'Created', value: (key) => when(key.created, { isTerminal, now }) },
]
