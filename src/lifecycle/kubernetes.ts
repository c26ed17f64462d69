import type { Cycle } from './cycle.ts'
import eol from './data/kubernetes-eol.json' with { type: 'json' }

/** Day of the table of dates; it lacks minor versions released later. */
export const eolDataDay = eol.gathered

export const kubernetesCycles: Cycle[] = Object.entries(eol.last_supported_day).map(([cycle, day]) => ({
  cycle,
  eol: day,
  lts: false,
}))
