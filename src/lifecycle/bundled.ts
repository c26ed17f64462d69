import { daySeconds } from '../util/time.ts'
import type { Cycle } from './cycle.ts'
import { kubernetesTable } from './kubernetes.ts'
import { perTables } from './tables.ts'

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

const toMap = (table: object) => new Map(Object.entries(table as Record<string, Facts>))
/** By slug: see docs/catalog.md for the sources and the format. */
const projects = perTables(({ cycles }) => toMap(cycles))
/** Operating systems of nodes. */
const systems = perTables((tables) => toMap(tables['node-systems']))

/** A cycle without a last day counts as supported for at most this long after the table was created. */
const openEndDays = 180
const toOpenEnds = (day: string) =>
  new Date(Date.parse(day) + openEndDays * daySeconds * 1000).toISOString().slice(0, 10)

export function bundledCycles(slug: string, today: string): Cycle[] {
  if (slug === 'kubernetes') return kubernetesTable().cycles
  const { as_of = today, cycles = [] } = systems().get(slug) ?? projects().get(slug) ?? {}
  return cycles
    .filter(([, eol]) => eol !== false || today <= toOpenEnds(as_of))
    .map(([cycle, eol, lts = false, latest]) => ({ cycle, eol, lts, latest }))
}

/** Product name on endoflife.date; undefined if it has no such product. */
export const toProduct = (slug: string) => (slug === 'kubernetes' ? slug : projects().get(slug)?.product)

/** The source of a project's or operating system's bundled cycles, and their day. */
export function cyclesFrom(slug: string) {
  if (slug === 'kubernetes') return { source: 'https://kubernetes.io/releases/', as_of: kubernetesTable().as_of }
  const {
    product = slug,
    source = `https://endoflife.date/${product}`,
    as_of,
  } = systems().get(slug) ?? projects().get(slug) ?? {}
  return { source, as_of }
}
