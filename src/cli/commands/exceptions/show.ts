import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { renderException } from './view.ts'

export function createCommand(context: Context, run = runShow): Command {
  return newCommand('show', 'Show an exception', [
    'relt exceptions show exc_2b7f0c9d4e1a65830f12',
    'relt exceptions show exc_2b7f0c9d4e1a65830f12 --json',
  ])
    .argument('<id>', 'id of the exception')
    .action((id, _, command) => run(cliOf(context, command), id))
}

export async function runShow(cli: Cli, id: string): Promise<void> {
  const client = await cli.context.client()
  const exception = await client.call('getException', { params: { exception_id: id } })
  await show(cli, { body: exception, text: (io) => renderException(io, exception) })
}
