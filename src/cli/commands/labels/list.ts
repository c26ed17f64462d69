import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { Label } from '../../../contract/label.ts'
import type { Column } from '../../../render/terminal/table.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List your labels', ['relt labels list', 'relt labels list --json']).action(
    (_options, command) => run(cliOf(context, command)),
  )
}

export async function runList(cli: Cli): Promise<void> {
  const client = await cli.context.client()
  const found = await client.call('listLabels', {})
  const empty = 'No labels yet. Create one: relt labels create NAME'
  await show(cli, { body: found, rows: found.labels, columns, empty })
}

const swatch = '■ '

const columns = (io: Io): Column<Label>[] => Object.values(columnOf(io))

const columnOf = ({ color, isTerminal }: Io): Record<keyof Label, Column<Label>> => ({
  id: { title: 'ID', value: (label) => String(label.id), align: 'right' },
  label_name: { title: 'Label', value: (label) => label.label_name, style: (cell) => color.bold(cell), min: 12 },
  label_color: {
    title: 'Color',
    value: (label) => (isTerminal ? swatch : '') + label.label_color,
    style: (cell, label) => cell.replace(swatch, color.hex(label.label_color, swatch)),
  },
  subscription_count: {
    title: 'Subscriptions',
    value: (label) => String(label.subscription_count),
    align: 'right',
  },
})
