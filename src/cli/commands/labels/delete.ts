import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { findLabel } from './find.ts'

export interface DeleteLabelOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runDelete): Command {
  return newCommand('delete', 'Delete a label and detach it from all subscriptions', [
    'relt labels delete edge',
    'relt labels delete 3 --yes',
  ])
    .argument('[label]', 'name or id')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((label, options, command) => run(cliOf(context, command), label, options))
}

export async function runDelete(cli: Cli, idOrName: string | undefined, { yes }: DeleteLabelOptions): Promise<void> {
  const { id, label_name, subscription_count } = await findLabel(cli, idOrName)
  if (!yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    await confirmOrRefuse(cli.io, `Delete the label ${label_name}? Subscriptions that have it: ${subscription_count}.`)
  }
  const client = await cli.context.client()
  const answer = await client.call('deleteLabel', { params: { id: String(id) } })
  await sayDone(cli, `Deleted the label ${label_name}`, answer)
}
