import type { Cycle } from './cycle.ts'
import { perTables } from './tables.ts'

/** Upstream's cycles, and the day of the table: it lacks minor versions released later. */
export const kubernetesTable = perTables(({ 'kubernetes-eol': { gathered, last_supported_day: days } }) => ({
  as_of: gathered,
  cycles: Object.entries(days).map(([cycle, eol]): Cycle => ({ cycle, eol, lts: false })),
}))
