import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { LabelInput } from '../../../contract/label.ts'
import { ReltError } from '../../../errors.ts'
import type { EveryKey } from '../../../util/every-key.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { parseColor } from './color.ts'
import { findLabel } from './find.ts'

export interface EditLabelOptions {
  name?: string
  color?: string
}

export function createCommand(context: Context, run = runEdit): Command {
  return newCommand('edit', 'Change the name or color of a label', [
    'relt labels edit edge --name network-edge',
    'relt labels edit 3 --color 1f6feb',
  ])
    .argument('[label]', 'name or id')
    .option('--name <name>', 'new name')
    .option('--color <rrggbb>', 'new color', parseColor)
    .action((label, options, command) => run(cliOf(context, command), label, options))
}

export async function runEdit(
  cli: Cli,
  idOrName: string | undefined,
  { name, color }: EditLabelOptions,
): Promise<void> {
  if (name === undefined && color === undefined) {
    throw new ReltError('usage', 'Nothing to change.', { hint: 'Add --name or --color.' })
  }
  const label = await findLabel(cli, idOrName)
  const body: EveryKey<LabelInput> = { label_name: name ?? label.label_name, label_color: color ?? label.label_color }
  const client = await cli.context.client()
  const answer = await client.call('updateLabel', { params: { id: String(label.id) }, body })
  await sayDone(cli, `Changed the label ${label.label_name}: now ${body.label_name}, ${body.label_color}`, answer)
}
