import { notFound } from '../../errors.ts'

/** What is no number is the id of nothing: existence is all that an id can be wrong about. */
export function toId(what: string, id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw notFound(what, id)
  return Number(id)
}
