import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { ask } from '../ask.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import { say } from '../say.ts'
import { showOnce } from './show-once.ts'

export function createCommand(context: Context, run = runCreate): Command {
  return newCommand('create', 'Create an application password, shown this once', [
    'relt keys create "CI of the shop"',
    'relt keys create ci --json',
  ])
    .argument('[name]', 'what the key is for')
    .action((name, _options, command) => run(cliOf(context, command), name))
}

export async function runCreate(cli: Cli, name: string | undefined): Promise<void> {
  const body = { name: name ?? (await ask(cli, 'name')) }
  const client = await cli.context.client()
  const answer = await client.call('createKey', { body })
  say(cli, `Created key ${answer.item.uuid}, ${answer.item.name}`)
  await showOnce(cli, answer)
}
