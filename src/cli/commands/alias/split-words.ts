import { ReltError } from '../../../errors.ts'

/** Splits a line into words like a shell: quoted spaces are text, and a backslash escapes the next character. */
export function splitWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (const [part] of line.matchAll(/\s+|'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\]+|./gsu)) {
    if (/^\s/.test(part)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + unquote(part, line)
  }
  return word === undefined ? words : [...words, word]
}

function unquote(part: string, line: string): string {
  if (/^'.*'$/s.test(part) && part.length > 1) return part.slice(1, -1)
  if (/^".*"$/s.test(part) && part.length > 1) return part.slice(1, -1).replace(/\\(["\\$`])/g, '$1')
  if (/^\\./s.test(part)) return part.slice(1)
  if (!/['"\\]/.test(part)) return part
  throw new ReltError('usage', `Unclosed ${part} in "${line}".`, { hint: 'Close the quotes.' })
}
