import { daySeconds } from '../util/time.ts'
import type { Cycle } from './cycle.ts'
import table from './data/cycles.json' with { type: 'json' }
import nodeSystems from './data/node-systems.json' with { type: 'json' }
import { eolDataDay, kubernetesCycles } from './kubernetes.ts'

/** A bundled cycle; `latest` is only set if the bundled releases lack it. */
type Row = [cycle: string, eol: string | boolean, lts?: string | boolean, latest?: string]

/** Facts of a product of endoflife.date, or of another source. */
interface Facts {
  product?: string
  source?: string
  /** `YYYY-MM-DD`; absent before a source has answered. */
  as_of?: string
  cycles: Row[]
}

/** By slug: see docs/catalog.md for the sources and the format. */
const projects = new Map(Object.entries(table as unknown as Record<string, Facts>))
/** Operating systems of nodes. */
const systems = new Map(Object.entries(nodeSystems as unknown as Record<string, Facts>))

/** A cycle without a last day counts as supported for at most this long after the table was created. */
const openEndDays = 180
const toOpenEnds = (day: string) =>
  new Date(Date.parse(day) + openEndDays * daySeconds * 1000).toISOString().slice(0, 10)

export function bundledCycles(slug: string, today: string): Cycle[] {
  if (slug === 'kubernetes') return kubernetesCycles
  const { as_of = today, cycles = [] } = systems.get(slug) ?? projects.get(slug) ?? {}
  return cycles
    .filter(([, eol]) => eol !== false || today <= toOpenEnds(as_of))
    .map(([cycle, eol, lts = false, latest]) => ({ cycle, eol, lts, latest }))
}

/** Product name on endoflife.date; undefined if it has no such product. */
export const toProduct = (slug: string) => (slug === 'kubernetes' ? slug : projects.get(slug)?.product)

/** The source of a project's or operating system's bundled cycles, and their day. */
export function cyclesFrom(slug: string) {
  if (slug === 'kubernetes') return { source: 'https://kubernetes.io/releases/', as_of: eolDataDay }
  const {
    product = slug,
    source = `https://endoflife.date/${product}`,
    as_of,
  } = systems.get(slug) ?? projects.get(slug) ?? {}
  return { source, as_of }
}
