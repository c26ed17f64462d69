import { notFound } from '../../../errors.ts'

/** An id that is not a number does not exist, so it is 404. */
export function toId(what: string, id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw notFound(what, id)
  return Number(id)
}
