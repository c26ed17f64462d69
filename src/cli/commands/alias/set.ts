import type { Command } from 'commander'
import { readConfig, writeConfig } from '../../../config/config-file.ts'
import { readAliasLine, readAliasName } from '../../../config/settings.ts'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { isCommand } from '../../program/nouns.ts'
import { placeOfCall } from '../../program/words.ts'
import { type Aliases, expandAlias } from './expand.ts'
import { splitWords } from './split-words.ts'

export function createCommand(context: Context, run = runSet): Command {
  return newCommand('set', 'Make an alias, or change it', [
    "relt alias set fresh 'reports freshness --explain'",
    "relt alias set diff 'reports compare --from $1 --to $2'",
  ])
    .argument('<name>', 'what it is to be called')
    .argument('<command>', 'what it stands for, without relt; $1 to $9 are its arguments, others are appended')
    .action((name, line, _options, command) => run(cliOf(context, command), { name, line }))
}

interface Wanted {
  name: string
  line: string
}

export async function runSet(cli: Cli, { name, line }: Wanted): Promise<void> {
  const { env } = cli.context
  read('name', readAliasName, name)
  if (line.startsWith('!')) {
    throw new ReltError('usage', 'An alias stands for a command of relt; a shell runs none of it.', {
      hint: 'For a command of the shell, make an alias of the shell.',
    })
  }
  read('command', readAliasLine, line)
  if (isCommand(name)) {
    throw new ReltError('usage', `${name} is a command, and stays one.`, { hint: 'Take another name.' })
  }
  const config = readConfig(env)
  const aliases = new Map(config.aliases).set(name, line)
  checkCall(name, aliases)
  writeConfig(env, { ...config, aliases })
  await sayDone(cli, `relt ${name} stands for relt ${line}`, { name, command: line })
}

/** Arguments stand in for those to come. */
function checkCall(name: string, aliases: Aliases): void {
  if (splitWords(aliases.get(name)!).length === 0) throw new ReltError('usage', 'The alias stands for nothing.')
  const words = expandAlias([name, ...Array.from({ length: 9 }, (_, i) => `$${i + 1}`)], aliases, isCommand)
  const call = words[placeOfCall(words)]
  if (call !== undefined && isCommand(call)) return
  throw new ReltError('usage', `There is no command "${call ?? ''}" that ${name} could stand for.`, {
    hint: 'Write what follows relt, such as: relt alias set fresh "reports freshness"',
  })
}

function read(what: string, parse: (text: string) => string, text: string): void {
  try {
    parse(text)
  } catch (error) {
    throw new ReltError('usage', `The ${what} of the alias cannot be used.`, {
      hint: `${(error as Error).message} is needed.`,
    })
  }
}
