import { hash } from 'node:crypto'

/** Tells for a cursor whether something is as it was. */
export function shortHash(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16)
}
