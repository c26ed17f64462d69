import { unseen } from '../../util/unseen.ts'
import type { Color } from './color.ts'

/** A drawing target: a terminal, or a pipe without colors and with unlimited width. */
export interface Terminal {
  isTerminal: boolean
  width: number
  color: Color
}

/** Foreign text for a terminal, on one line, without invisible characters. */
export function plain(text: string) {
  return text.replace(unseen, ' ')
}
