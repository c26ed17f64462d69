import type { Command } from 'commander'
import { ReltError } from '../../errors.ts'
import { toPath } from './help.ts'

const maxSuggestions = 3

/** Suggests similar commands of all nouns. `words` are the command line, which contains `unknown`. */
export function unknownCommandError(program: Command, words: string[], unknown: string): ReltError {
  const parent = words
    .slice(0, words.indexOf(unknown))
    .reduce((command, word) => childFor(command, word) ?? command, program)
  const found = similarCommands(program, parent, unknown).map((command) => `\`${toPath(command)}\``)
  const hint = found.length > 0 ? `Did you mean ${toList(found)}?` : `Run \`${toPath(parent)} --help\`.`
  return new ReltError('usage', `Unknown command "${unknown}" for \`${toPath(parent)}\`.`, { hint })
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

/** The most similar names; among equally similar ones, those of `parent`. */
function similarCommands(program: Command, parent: Command, word: string): Command[] {
  const maxDistance = Math.max(1, Math.floor(word.length / 3))
  const scored = [...below(program)]
    .filter((command) => Math.abs(command.name().length - word.length) <= maxDistance)
    .map((command) => ({ command, distance: editDistance(command.name(), word) }))
    .filter(({ distance }) => distance <= maxDistance)
    .map(({ command, distance }) => ({ command, score: 2 * distance + (command.parent === parent ? 0 : 1) }))
  const best = Math.min(...scored.map(({ score }) => score))
  return scored.filter(({ score }) => score === best).map(({ command }) => command)
}

function* below(command: Command): Generator<Command> {
  for (const child of command.commands) {
    yield child
    yield* below(child)
  }
}

/** Counts insertions, deletions, substitutions, and transpositions of adjacent letters. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = []
  for (let i = 0; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      if (i === 0) {
        rows[0]!.push(j)
        continue
      }
      const substituted = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      rows[i]!.push(
        Math.min(
          rows[i - 1]![j]! + 1,
          rows[i]![j - 1]! + 1,
          substituted,
          swapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return rows[a.length]![b.length]!
}

/** `a`, `a or b`, `a, b or c`. */
function toList(names: string[]): string {
  const shown = names.slice(0, maxSuggestions)
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}
