import { configFile } from '../../../config/config-file.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'path',
  summary: 'Print the path of the settings file',
  examples: ['relt config path', 'relt config path --json'],
  run: async (cli) => {
    const path = configFile(cli.context.env)
    await show(cli, { body: { path }, verbatim: `${path}\n` })
  },
})
