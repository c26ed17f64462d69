import { hash } from 'node:crypto'

/** A hash for cursors that reveals changes. */
export function shortHash(value: unknown) {
  return hash('sha256', JSON.stringify(value)).slice(0, 16)
}
