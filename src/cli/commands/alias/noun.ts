import { readConfig, writeConfig } from '../../../config/config-file.ts'
import { ReltError } from '../../../errors.ts'
import { show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import set from './set.ts'

const list = verb({
  name: 'list',
  summary: 'List aliases and the commands they run',
  examples: ['relt alias list', 'relt alias list --json'],
  run: async (cli) => {
    const aliases = Array.from(readConfig(cli.context.env).aliases, ([name, command]) => ({ name, command }))
    await show(cli, {
      body: { success: true, items: aliases },
      rows: aliases,
      columns: () => [
        { title: 'Alias', value: ({ name }) => name },
        { title: 'Command', value: ({ command }) => command, min: 20 },
      ],
      empty: "No aliases yet. Create one: relt alias set fresh 'reports freshness'",
    })
  },
})

const remove = verb({
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

export default noun({
  examples: ["relt alias set fresh 'reports freshness --explain'", 'relt alias list'],
  verbs: [set, list, remove],
})
