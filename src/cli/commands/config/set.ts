import { readConfig, writeConfig } from '../../../config/config-file.ts'
import { ReltError } from '../../../errors.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { getKey } from './keys.ts'

export default verb({
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
    try {
      set(text)
    } catch (error) {
      throw new ReltError('usage', `${key} cannot be "${text}".`, { hint: `Use ${(error as Error).message}.` })
    }
    writeConfig(context.env, config)
    const { value } = getKey(config, key)
    const done = value === undefined ? `Reset ${key}; default: ${usually}` : `Set ${key} to ${String(value)}`
    await sayDone(cli, done, { key, value: value ?? null, default: usually })
  },
})
