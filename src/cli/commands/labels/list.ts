import type { Label } from '../../../contract/label.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'list',
  summary: 'List your labels',
  examples: ['relt labels list', 'relt labels list --json'],
  run: async (cli) => {
    const client = await cli.context.client()
    const found = await client.call('listLabels', {})
    const empty = 'No labels yet. Create one: relt labels create NAME'
    await show(cli, { body: found, rows: found.labels, columns, empty })
  },
})

const swatch = '■ '

const columns = (io: Io): Column<Label>[] => Object.values(toColumn(io))

const toColumn = ({ color, isTerminal }: Io): Record<keyof Label, Column<Label>> => ({
  id: { title: titles.id, value: (label) => String(label.id), align: 'right' },
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
