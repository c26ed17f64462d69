import { unseen } from '../../util/unseen.ts'
import type { Color } from './color.ts'

/** What can be drawn on: a terminal, or a pipe without colors and with endless lines. */
export interface Terminal {
  isTerminal: boolean
  width: number
  color: Color
  /** The text, as a link where the terminal knows links. */
  link: (text: string, url: string) => string
}

/** Foreign text on a terminal, on one line, without what nobody sees. */
export function plain(text: string): string {
  return text.replace(unseen, ' ')
}
