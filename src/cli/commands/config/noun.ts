import { configFile, readConfig, writeConfig } from '../../../config/config-file.ts'
import { ReltError } from '../../../errors.ts'
import { titles } from '../../../views/titles.ts'
import { orUsage } from '../../input/or-usage.ts'
import { show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import { getKey, type Key, toKeys } from './keys.ts'

const get = verb({
  name: 'get',
  summary: 'Print one setting',
  examples: ['relt config get server', 'relt config get timeout --json'],
  args: [['<setting>', 'name of the setting, such as output']],
  run: async (cli, wanted) => {
    const { key, value, usually } = getKey(readConfig(cli.context.env), wanted)
    await show(cli, { body: { key, value: value ?? null, default: usually }, verbatim: `${value ?? usually}\n` })
  },
})

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

const path = verb({
  name: 'path',
  summary: 'Print the path of the settings file',
  examples: ['relt config path', 'relt config path --json'],
  run: async (cli) => {
    const path = configFile(cli.context.env)
    await show(cli, { body: { path }, verbatim: `${path}\n` })
  },
})

export default noun({
  examples: ['relt config list', 'relt config set output json', 'relt config set timeout ""'],
  verbs: [get, set, list, path],
})
