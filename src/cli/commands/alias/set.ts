import { readConfig, writeConfig } from '../../../config/config-file.ts'
import { readAliasLine, readAliasName } from '../../../config/settings.ts'
import { ReltError } from '../../../errors.ts'
import { orUsage } from '../../input/or-usage.ts'
import { sayDone } from '../../output/say.ts'
import { isCommand } from '../../program/nouns.ts'
import { verb } from '../../program/verb.ts'
import { placeOfCall } from '../../program/words.ts'
import { type Aliases, expandAlias } from './expand.ts'
import { splitWords } from './split-words.ts'

export default verb({
  name: 'set',
  summary: 'Create or change an alias',
  examples: [
    "relt alias set fresh 'reports freshness --explain'",
    "relt alias set diff 'reports compare --from $1 --to $2'",
  ],
  args: [
    ['<name>', 'name of the alias'],
    ['<command>', 'command without relt; $1 to $9 insert arguments, others are appended'],
  ],
  run: async (cli, name, line) => {
    const { env } = cli.context
    orUsage('The name of the alias is invalid.', () => readAliasName(name))
    if (line.startsWith('!')) {
      throw new ReltError('usage', 'An alias runs a relt command and cannot run a shell command.', {
        hint: 'Use an alias of your shell instead.',
      })
    }
    orUsage('The command of the alias is invalid.', () => readAliasLine(line))
    if (isCommand(name)) {
      throw new ReltError('usage', `${name} is already a relt command.`, { hint: 'Choose another name.' })
    }
    const config = readConfig(env)
    const aliases = new Map(config.aliases).set(name, line)
    checkCall(name, aliases)
    writeConfig(env, { ...config, aliases })
    await sayDone(cli, `relt ${name} now runs relt ${line}`, { name, command: line })
  },
})

/** Uses placeholders, because the actual arguments follow when the alias is called. */
function checkCall(name: string, aliases: Aliases): void {
  if (splitWords(aliases.get(name)!).length === 0) throw new ReltError('usage', 'The alias is empty.')
  const words = expandAlias([name, ...Array.from({ length: 9 }, (_, i) => `$${i + 1}`)], aliases, isCommand)
  const call = words[placeOfCall(words)]
  if (call !== undefined && isCommand(call)) return
  throw new ReltError('usage', `Unknown command "${call ?? ''}" in the alias ${name}.`, {
    hint: 'Leave out relt, as in: relt alias set fresh "reports freshness"',
  })
}
