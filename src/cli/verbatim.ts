import { type Io, plain } from './io.ts'

/**
 * The text of an answer that people copy: it goes out at once, with its lines as they are, since a command or a file that
 * is broken to fit the terminal does not work any more.
 */
export function verbatim(io: Io, text: string): '' {
  io.out(io.isTerminal ? text.split('\n').map(plain).join('\n') : text)
  return ''
}
