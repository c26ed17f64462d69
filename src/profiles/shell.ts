import { quoteShell } from '../util/quote-shell.ts'

/** A word of a command: literal, or an expression that a POSIX shell or PowerShell evaluates. */
export type Word = string | { expression: string; powershell: string }

/** One line for a POSIX shell; `--name=` and `NAME=` stay readable before a quoted value. */
export function shellLine(words: Word[]) {
  return words.map(shellWord).join(' ')
}

function shellWord(word: Word) {
  if (typeof word !== 'string') return word.expression
  const [, name = '', rest = ''] = /^((?:--)?[A-Za-z][\w-]*=)?(.*)$/s.exec(word)!
  return !name && /^[\w/-]+$/.test(rest) ? rest : name + quoteShell(rest)
}
