import type { Cycle } from './cycle.ts'
import table from './data/cycles.json' with { type: 'json' }
import { kubernetesCycles } from './kubernetes.ts'

/** `latest` only where the bundled releases lack it. */
type Row = [cycle: string, eol: string | boolean, lts?: string | boolean, latest?: string]

/** By slug: see docs/catalog.md for the source and the format. */
const projects = table.projects as unknown as Record<string, { product?: string; cycles: Row[] } | undefined>

/** A cycle without a last day is taken for supported no longer than this after the table was made. */
const openEndDays = 180
const openEndsUntil = new Date(Date.parse(table.gathered) + openEndDays * 86_400_000).toISOString().slice(0, 10)

export function bundledCycles(slug: string, today: string): Cycle[] {
  if (slug === 'kubernetes') return kubernetesCycles
  const rows = Object.hasOwn(projects, slug) ? projects[slug]!.cycles : []
  return rows
    .filter(([, eol]) => eol !== false || today <= openEndsUntil)
    .map(([cycle, eol, lts = false, latest]) => ({ cycle, eol, lts, latest }))
}

/** Its product name at endoflife.date; undefined when endoflife.date has no such product. */
export function productOf(slug: string): string | undefined {
  if (slug === 'kubernetes') return slug
  return Object.hasOwn(projects, slug) ? (projects[slug]!.product ?? slug) : undefined
}
