import { foldTo } from './fold.ts'
import type { Io } from './io.ts'

/** Prints text for users immediately. */
export function print(io: Io, text: string) {
  io.out(fold(io, text))
}

/** Lines of a text that ends with a line break. */
export const linesIn = (text: string) => text.split('\n').length - 1

/** On a terminal, wraps long lines between words, with the line's indentation, or a list item's. */
export function fold(io: Io, text: string) {
  if (!io.isTerminal) return text
  return foldTo(text, io.width)
}
