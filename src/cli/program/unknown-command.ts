import type { Command } from 'commander'
import { ReltError } from '../../errors.ts'
import { nearest } from '../../util/nearest-word.ts'
import { toPath } from './help.ts'

const maxSuggestions = 3

/** Suggests similar commands of all nouns. `words` are the command line, which contains `unknown`. */
export function unknownCommandError(program: Command, words: string[], unknown: string) {
  const parent = words
    .slice(0, words.indexOf(unknown))
    .reduce((command, word) => childFor(command, word) ?? command, program)
  const found = similarCommands(program, parent, unknown).map((command) => `\`${toPath(command)}\``)
  return new ReltError('usage', `Unknown command "${unknown}" for \`${toPath(parent)}\`.`, {
    hint: found.length > 0 ? `Did you mean ${toList(found)}?` : `Run \`${toPath(parent)} --help\`.`,
  })
}

/** The first word that is not a command where one is expected. */
export function findUnknownWord(program: Command, words: string[]): string | undefined {
  let command = program
  for (const word of words) {
    if (command.commands.length === 0) return undefined
    const child = childFor(command, word)
    if (!child) return word
    command = child
  }
  return undefined
}

const childFor = (command: Command, name: string) => command.commands.find((child) => child.name() === name)

/** Commands with the most similar name: of the called noun, or else of all. */
function similarCommands(program: Command, parent: Command, word: string): Command[] {
  const own = parent === program ? undefined : namesake(parent.commands, word)
  if (own) return [own]
  const all = [...below(program)]
  const name = namesake(all, word)?.name()
  return all.filter((command) => command.name() === name)
}

function namesake(commands: readonly Command[], word: string) {
  const name = nearest(
    word,
    commands.map((command) => command.name()),
  )
  return commands.find((command) => command.name() === name)
}

function* below(command: Command): Generator<Command> {
  for (const child of command.commands) {
    yield child
    yield* below(child)
  }
}

/** `a`, `a or b`, `a, b or c`. */
function toList(names: string[]) {
  const shown = names.slice(0, maxSuggestions)
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}
