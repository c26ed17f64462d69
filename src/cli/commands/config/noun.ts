import { configFile, readConfig, writeConfig } from '../../../config/config-file.ts'
import { ReltError } from '../../../errors.ts'
import { titles } from '../../../views/titles.ts'
import { orUsage } from '../../input/or-usage.ts'
import { member, show } from '../../output/output.ts'
import { note } from '../../output/remarks.ts'
import { sayDone } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import { getKey, toKeys } from './keys.ts'

const set = verb({
  name: 'set',
  summary: 'Change or reset a setting',
  examples: ['relt config set output json', 'relt config set cache false', 'relt config set ca_file ""'],
  args: [
    ['<setting>', 'name of the setting, such as output'],
    ['<value>', 'new value; an empty one restores the default'],
  ],
  run: async (cli, wanted, text) => {
    const { context } = cli
    const config = readConfig(context.env)
    const { key, set, usually } = getKey(config, wanted)
    if (key === 'server' && text !== '' && text !== 'local' && !config.servers.has(text)) {
      const known = ['local', ...config.servers.keys()].join(', ')
      throw new ReltError('usage', `No server named "${text}".`, { hint: `Known servers: ${known}.` })
    }
    orUsage(`${key} cannot be "${text}".`, () => set(text))
    writeConfig(context.env, config)
    const { value } = getKey(config, key)
    const done = value === undefined ? `Reset ${key}; default: ${usually}` : `Set ${key} to ${String(value)}`
    await sayDone(cli, done, { key, value: value ?? null, default: usually })
  },
})

const list = verb({
  name: 'list',
  summary: 'List all settings',
  examples: ['relt config list'],
  run: async (cli) => {
    const { env } = cli.context
    const keys = toKeys(readConfig(env))
    await show(cli, {
      body: {
        settings: keys.map(({ key, value, usually, summary }) => ({
          key,
          value: value ?? null,
          default: usually,
          summary,
        })),
        file: configFile(env),
      },
      rows: keys,
      columns: (io) => [
        { title: 'Key', value: member('key') },
        {
          title: titles.value,
          value: ({ value, usually }) => String(value ?? usually),
          style: (cell, { value }) => (value === undefined ? io.color.dim(cell) : cell),
          min: 10,
        },
        { title: titles.description, value: member('summary'), min: 20 },
      ],
      remarks: [note(`They stand in ${configFile(env)}.`)],
    })
  },
})

export default noun({
  examples: ['relt config list', 'relt config set output json', 'relt config set timeout ""'],
  verbs: [set, list],
})
