import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { unlimited } from '../../../contract/choices.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { keyColumns } from './view.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List your API keys', ['relt keys list', 'relt keys list --json']).action(
    (_options, command) => run(cliOf(context, command)),
  )
}

export async function runList(cli: Cli): Promise<void> {
  const client = await cli.context.client()
  const found = await client.call('listKeys', {})
  const { count, limit } = found
  const isLimited = limit < unlimited
  await show(cli, {
    body: found,
    rows: found.keys,
    columns: keyColumns,
    empty: isLimited ? `No keys yet. Your plan allows ${limit}.` : 'No keys yet. Create one: relt keys create NAME',
  })
  if (!cli.json && count > 0 && isLimited) {
    cli.io.err(cli.io.errColor.dim(`${count} of ${limit} keys allowed by your plan.\n`))
  }
}
