import { foldTo } from './fold.ts'
import type { Io } from './io.ts'

/** Text for people, at once. */
export function print(io: Io, text: string): void {
  io.out(fold(io, text))
}

/** On a terminal a line that does not fit is broken between words, and goes on as far in as it began; so does an item of a list. */
export function fold(io: Io, text: string): string {
  if (!io.isTerminal) return text
  return foldTo(text, io.width)
}
