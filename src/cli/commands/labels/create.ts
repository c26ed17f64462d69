import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { LabelInput } from '../../../contract/label.ts'
import type { EveryKey } from '../../../util/every-key.ts'
import { ask } from '../../input/ask.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { parseColor } from './color.ts'

export interface CreateLabelOptions {
  color?: string
}

const grey = '#6e7781'

export function createCommand(context: Context, run = runCreate): Command {
  return newCommand('create', 'Create a label', ['relt labels create edge', 'relt labels create edge --color 1f6feb'])
    .argument('[name]', 'name of the label')
    .option('--color <rrggbb>', `color (default: ${grey})`, parseColor)
    .action((name, options, command) => run(cliOf(context, command), name, options))
}

export async function runCreate(cli: Cli, name: string | undefined, { color }: CreateLabelOptions): Promise<void> {
  const label: EveryKey<LabelInput> = { label_name: name ?? (await ask(cli, 'name')), label_color: color ?? grey }
  const client = await cli.context.client()
  const answer = await client.call('createLabel', { body: label })
  await sayDone(cli, `Created the label ${label.label_name} (${answer.label_id})`, answer)
}
