import { daySeconds } from '../util/time.ts'
import type { Cycle } from './cycle.ts'
import table from './data/cycles.json' with { type: 'json' }
import nodeSystems from './data/node-systems.json' with { type: 'json' }
import { eolDataDay, kubernetesCycles } from './kubernetes.ts'

/** A bundled cycle; `latest` is only set if the bundled releases lack it. */
type Row = [cycle: string, eol: string | boolean, lts?: string | boolean, latest?: string]

/** Slug → bundled cycles: see docs/catalog.md for the source and the format. */
const projects = table.projects as unknown as Record<string, { product?: string; cycles: Row[] } | undefined>

interface SystemFacts {
  source: string
  /** `YYYY-MM-DD` */
  as_of: string
}

/** Operating systems of nodes: products of endoflife.date, and facts from other sources about those that it lacks. */
const systems = new Map<string, SystemFacts & { cycles: Row[] }>([
  ...Object.entries(nodeSystems.systems).map(([slug, { product, cycles }]) => {
    const facts = { source: `https://endoflife.date/${product}`, as_of: nodeSystems.gathered }
    return [slug, { ...facts, cycles: cycles as Row[] }] as const
  }),
  ...Object.entries(nodeSystems.own).map(
    ([slug, facts]) => [slug, { ...facts, cycles: facts.cycles as Row[] }] as const,
  ),
])

/** A cycle without a last day counts as supported for at most this long after the table was created. */
const openEndDays = 180
const toOpenEnds = (day: string) =>
  new Date(Date.parse(day) + openEndDays * daySeconds * 1000).toISOString().slice(0, 10)
const openEndsUntil = toOpenEnds(table.gathered)

export function bundledCycles(slug: string, today: string): Cycle[] {
  if (slug === 'kubernetes') return kubernetesCycles
  const own = systems.get(slug)
  const rows = own?.cycles ?? (Object.hasOwn(projects, slug) ? projects[slug]!.cycles : [])
  const until = own ? toOpenEnds(own.as_of) : openEndsUntil
  return rows
    .filter(([, eol]) => eol !== false || today <= until)
    .map(([cycle, eol, lts = false, latest]) => ({ cycle, eol, lts, latest }))
}

/** Product name on endoflife.date; undefined if it has no such product. */
export function toProduct(slug: string) {
  if (slug === 'kubernetes') return slug
  return Object.hasOwn(projects, slug) ? (projects[slug]!.product ?? slug) : undefined
}

/** The source of a project's or operating system's bundled cycles. */
export function cyclesFrom(slug: string): SystemFacts {
  if (slug === 'kubernetes') return { source: 'https://kubernetes.io/releases/', as_of: eolDataDay }
  const { source, as_of } = systems.get(slug) ?? {
    source: `https://endoflife.date/${toProduct(slug) ?? slug}`,
    as_of: table.gathered,
  }
  return { source, as_of }
}
