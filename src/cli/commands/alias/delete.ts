import { readConfig, writeConfig } from '../../../config/config-file.ts'
import { ReltError } from '../../../errors.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'delete',
  summary: 'Delete an alias',
  examples: ['relt alias delete fresh'],
  args: [['<alias>', 'name of the alias']],
  run: async (cli, name) => {
    const { env } = cli.context
    const config = readConfig(env)
    const aliases = new Map(config.aliases)
    if (!aliases.delete(name)) {
      const known = [...aliases.keys()].join(', ')
      throw new ReltError('not_found', `No alias named "${name}".`, {
        ...(known && { hint: `Known aliases: ${known}.` }),
      })
    }
    writeConfig(env, { ...config, aliases })
    await sayDone(cli, `Deleted the alias ${name}`, { name, deleted: true })
  },
})
