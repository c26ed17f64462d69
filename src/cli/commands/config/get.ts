import { readConfig } from '../../../config/config-file.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { getKey } from './keys.ts'

export default verb({
  name: 'get',
  summary: 'Print one setting',
  examples: ['relt config get server', 'relt config get timeout --json'],
  args: [['<setting>', 'name of the setting, such as output']],
  run: async (cli, wanted) => {
    const { key, value, usually } = getKey(readConfig(cli.context.env), wanted)
    await show(cli, { body: { key, value: value ?? null, default: usually }, verbatim: `${value ?? usually}\n` })
  },
})
