import type { Eol } from '../contract/eol.ts'
import { type Cycle, readCycles } from './cycle.ts'
import eol from './data/kubernetes-eol.json' with { type: 'json' }

/** Day of the table of dates; a minor version that came later is not in it. */
export const eolDataDay = eol.gathered

export const kubernetesCycles: Cycle[] = Object.entries(eol.last_supported_day).map(([cycle, day]) => {
  return { cycle, eol: day, lts: false }
})

/** By the bundled dates. Undefined for what is no version, and for a minor version that the table does not know. */
export function supportFor(version: string, today: string): Eol | undefined {
  const minor = /^v?(\d{1,3}\.\d{1,3})(?!\d)/.exec(version.trim())?.[1]
  return minor === undefined ? undefined : readCycles(kubernetesCycles, today)(minor.split('.'))
}
