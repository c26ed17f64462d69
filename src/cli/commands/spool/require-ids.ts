import { ReltError } from '../../../errors.ts'
import type { Spool } from '../../../spool/spool.ts'

/** Throws `not_found` unless each id is that of a queued upload, including corrupt ones. */
export function requireIds(spool: Spool, ids: string[]) {
  const unknown = ids.find((id) => !spool.has(id))
  if (unknown === undefined) return
  throw new ReltError('not_found', `No queued upload has the id ${unknown}.`, { hint: 'List them: relt spool list' })
}
