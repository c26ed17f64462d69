import type { Color } from './color.ts'

/** What can be drawn on: a terminal, or a pipe without colors and with endless lines. */
export interface Terminal {
  isTerminal: boolean
  width: number
  color: Color
  /** The text, as a link where the terminal knows links. */
  link: (text: string, url: string) => string
}

/** Foreign text on a terminal: no control characters, no direction tricks, one line. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ')
}
