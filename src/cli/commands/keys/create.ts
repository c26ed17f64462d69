import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { ask } from '../../input/ask.ts'
import { say } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addKeyOptions, type KeyOptions, requireGranted, wantedKey } from './key-options.ts'
import { showOnce } from './show-once.ts'
import { limitsText } from './view.ts'

export function createCommand(context: Context, run = runCreate): Command {
  const command = newCommand('create', 'Create an API key and show it once', [
    'relt keys create "CI of the shop" --scope upload --expires 90d',
    'relt keys create dashboard --scope read --json',
  ]).argument('[name]', 'name of the key')
  return addKeyOptions(command).action((name, options, command) => run(cliOf(context, command), name, options))
}

export async function runCreate(cli: Cli, name: string | undefined, options: KeyOptions): Promise<void> {
  const body = wantedKey(name ?? (await ask(cli, 'name')), options, cli.context.now())
  const client = await cli.context.client()
  const answer = await client.call('createKey', { body })
  await requireGranted(client, body, answer.item)
  say(cli, `Created key ${answer.item.uuid}, ${answer.item.name}${limitsText(answer.item)}`)
  await showOnce(cli, answer)
}
