import { unseen } from '../util/unseen.ts'

/** Foreign text on one line: nothing that nobody sees, and no half of a surrogate pair. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(unseen, ' ')
}

/** At most so many letters, on one line. */
export function short(text: string, max: number): string {
  const line = oneLine(text)
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`
}

/** `shop pod/web`, `shop`, or `cluster` for what belongs to no namespace. */
export function place({ namespace, resource }: { namespace: string | null; resource: string | null }): string {
  return [namespace, resource].filter((part) => part !== null).join(' ') || 'cluster'
}
