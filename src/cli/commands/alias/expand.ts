import { ReltError } from '../../../errors.ts'
import { count } from '../../../util/words.ts'
import { placeOfCall } from '../../program/words.ts'
import { splitWords } from './split-words.ts'

export type Aliases = ReadonlyMap<string, string>

/**
 * Expands an alias in argv, recursively; the name of a command is not expanded. `$1` to `$9` become the arguments, others
 * are appended. Throws `usage`.
 */
export function expandAlias(argv: string[], aliases: Aliases, isCommand: (name: string) => boolean): string[] {
  const seen = new Set<string>()
  for (let words = argv; ; ) {
    const at = placeOfCall(words)
    const name = words[at]
    const line = name === undefined || isCommand(name) ? undefined : aliases.get(name)
    if (name === undefined || line === undefined) return words
    if (seen.has(name)) {
      throw new ReltError('usage', `The alias ${name} refers to itself.`, {
        hint: `Run \`relt alias delete ${name}\`.`,
      })
    }
    seen.add(name)
    words = [...words.slice(0, at), ...fill(name, splitWords(line), words.slice(at + 1))]
  }
}

function fill(name: string, words: string[], args: string[]): string[] {
  const used = new Set<number>()
  const filled = words.map((word) =>
    word.replace(/\$([1-9])/g, (_, number: string) => {
      const i = Number(number) - 1
      used.add(i)
      return args[i] ?? ''
    }),
  )
  const needed = Math.max(0, ...[...used].map((i) => i + 1))
  if (args.length < needed) {
    throw new ReltError('usage', `The alias ${name} needs ${count(needed, 'argument')} but got ${args.length}.`, {
      hint: `It expands to: ${words.join(' ')}`,
    })
  }
  return [...filled, ...args.filter((_, i) => !used.has(i))]
}
