import { readConfig } from '../../../config/config-file.ts'
import { titles } from '../../../views/titles.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { type Key, toKeys } from './keys.ts'

export default verb({
  name: 'list',
  summary: 'List all settings',
  examples: ['relt config list', 'relt config list --json'],
  run: async (cli) => {
    const keys = toKeys(readConfig(cli.context.env))
    await show<Key>(cli, {
      body: {
        settings: keys.map(({ key, value, usually, summary }) => ({
          key,
          value: value ?? null,
          default: usually,
          summary,
        })),
      },
      rows: keys,
      columns: (io) => [
        { title: 'Key', value: ({ key }) => key },
        {
          title: titles.value,
          value: ({ value, usually }) => String(value ?? usually),
          style: (cell, { value }) => (value === undefined ? io.color.dim(cell) : cell),
          min: 10,
        },
        { title: titles.description, value: ({ summary }) => summary, min: 20 },
      ],
    })
  },
})
