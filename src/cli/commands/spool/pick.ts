import { ReltError } from '../../../errors.ts'

/** The named uploads in queue order, or all if none is named. Throws `not_found`. */
export function pick<T extends { id: string }>(waiting: T[], ids: string[]): T[] {
  const unknown = ids.find((id) => !waiting.some((entry) => entry.id === id))
  if (unknown !== undefined) {
    throw new ReltError('not_found', `No waiting upload has the id ${unknown}.`, {
      hint: 'List them: relt spool list',
    })
  }
  return ids.length === 0 ? waiting : waiting.filter(({ id }) => ids.includes(id))
}
