import type { Io } from '../../output/io.ts'

/** A restored or copied store cannot be read without the master key that sealed it. */
export function warnOfMissingKey(io: Io, master: { id: string; error: string | null } | null) {
  if (!master?.error) return
  io.err(`The master key ${master.id} is required but not available: ${master.error}\n`)
  io.err('Set RELT_MASTER_KEY to it, or write it to master.key in the data folder.\n')
}
