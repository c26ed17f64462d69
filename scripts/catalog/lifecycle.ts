import { readFileSync } from 'node:fs'
import { type BundledReleases, bundledCatalog } from '../../src/catalog/bundled.ts'
import type { Cycle } from '../../src/lifecycle/cycle.ts'
import { versionKey } from '../../src/security/known-security.ts'
import { toMembers } from './outputs.ts'
import type { CatalogSource } from './source.ts'

/** Cycles that ended before are left out. */
const oldest = '2015-01-01'

/** By product of endoflife.date: what it answered, and on which day. */
export type FoundCycles = ReadonlyMap<string, { as_of: string; cycles: Cycle[] }>

type Facts = { product?: string; as_of?: string; cycles: unknown[][] }

/** The files of release cycles. A product without an answer keeps what is known of it. */
export function lifecycleFiles({ projects, lists }: CatalogSource, found: FoundCycles): [path: string, text: string][] {
  const { systems, offerings, stated } = lists.systems
  const { releases } = bundledCatalog()
  const file = (
    name: string,
    products: Record<string, string>,
    toRows: (cycle: Cycle, slug: string) => unknown[][],
  ) => {
    const path = `src/lifecycle/data/${name}.json`
    const known: Record<string, Facts> = JSON.parse(readFileSync(path, 'utf8'))
    const rows = Object.entries(products).flatMap(([slug, product]): [string, Facts][] => {
      const { as_of, cycles = [] } = found.get(product) ?? {}
      const read = cycles.flatMap((cycle) => toRows(cycle, slug))
      if (as_of && read.length > 0) return [[slug, { product, as_of, cycles: read }]]
      return [[slug, { product, ...(known[slug] ?? { cycles: [] }) }]]
    })
    return [path, rows] as const
  }
  const ofProjects = [...projects].flatMap(([slug, { eol }]) => (eol && slug !== 'kubernetes' ? [[slug, eol]] : []))
  const [path, rows] = file('node-systems', systems, (cycle) => toRow(cycle))
  return [
    file('cycles', Object.fromEntries(ofProjects), (cycle, slug) => toRow(cycle, releases[slug] ?? {})),
    [path, [...rows, ...Object.entries(stated)]] as const,
    file('offerings', offerings, ({ cycle, eol, extended }) =>
      typeof eol === 'string' ? [[cycle, eol, ...(extended ? [extended] : [])]] : [],
    ),
  ].map(([path, rows]) => [path, toMembers(rows)])
}

/** `[cycle, eol]`, with `lts` where it has that, and with its last release where the bundled releases lack it. */
function toRow({ cycle, eol, lts, latest }: Cycle, releases?: BundledReleases): unknown[][] {
  if (typeof eol === 'string' && eol < oldest) return []
  const isMissing =
    releases && latest && /^\d+(\.\d+)+(-\d+)?$/.test(latest) && !known(releases).has(versionKey(latest))
  if (isMissing) return [[cycle, eol, lts, latest]]
  return [lts ? [cycle, eol, lts] : [cycle, eol]]
}

const known = ({ app = [] }: BundledReleases) => new Set(app.map(([version]) => versionKey(version)))
