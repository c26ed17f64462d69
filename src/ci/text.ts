import { unseen } from '../util/unseen.ts'

/** Foreign text on one line, without invisible characters or lone surrogates. */
export function oneLine(text: string) {
  return text.toWellFormed().replace(unseen, ' ')
}

/** One line, truncated to this many characters. */
export function short(text: string, max: number) {
  const line = oneLine(text)
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`
}

/** `shop pod/web`, `shop`, or `cluster` for a cluster-scoped resource. */
export function place({ namespace, resource }: { namespace: string | null; resource: string | null }) {
  return [namespace, resource].filter((part) => part !== null).join(' ') || 'cluster'
}
