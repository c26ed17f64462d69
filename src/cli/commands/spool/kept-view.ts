import { errorTable } from '../../../errors.ts'
import type { Io } from '../../output/io.ts'
import { renderRun } from '../reports/run-view.ts'
import type { Kept } from './store-or-keep.ts'

/** In place of the contract's answer. */
export function bodyOfKept({ spool_id, server, reason }: Kept) {
  const { code, message } = reason
  return { success: true, spooled: true, spool_id, server, reason: { code: errorTable[code].wire, message } }
}

export function renderKept(io: Io, { spool_id, run }: Kept): string {
  return `${spool_id}\n${renderRun(io, run)}`
}
