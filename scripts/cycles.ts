/**
 * Makes the bundled release cycles anew: `node scripts/cycles.ts CHECKOUT DAY`, of a checkout of
 * https://github.com/endoflife-date/endoflife.date and the day it is of. The table's own projects are kept; to add one, give
 * it a line with its `product` first.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { bundledCatalog } from '../src/catalog/bundled.ts'
import { versionKey } from '../src/security/known-security.ts'

interface Release {
  releaseCycle: string
  /** A day, or a boolean. */
  eol?: unknown
  /** End of extended support. */
  eoes?: unknown
  lts?: unknown
  releaseDate?: string
  latest?: unknown
}

const table = new URL('../src/lifecycle/data/cycles.json', import.meta.url)
const bundled = bundledCatalog()
const oldest = '2015-01-01'
const [checkout, gathered] = process.argv.slice(2)
if (!checkout || !gathered) throw new Error('Usage: node scripts/cycles.ts CHECKOUT DAY')

const { projects } = JSON.parse(readFileSync(table, 'utf8')) as { projects: Record<string, { product?: string }> }
const lines = Object.keys(projects)
  .sort()
  .map((slug) => {
    const { product } = projects[slug]!
    const known = new Set(bundled.releases[slug]?.app?.map(([version]) => versionKey(version)))
    const rows = releasesFor(product ?? slug).flatMap((release) => toRow(release, known))
    return `${JSON.stringify(slug)}: ${JSON.stringify({ ...(product && { product }), cycles: rows })}`
  })
writeFileSync(
  table,
  `{
"source": "https://endoflife.date (products of github.com/endoflife-date/endoflife.date)",
"gathered": ${JSON.stringify(gathered)},
"projects": {
${lines.join(',\n')}
}}
`,
)

/** Systems of nodes, which no project of the catalog is. Rows of their own sources stay as they are. */
const systemsTable = new URL('../src/lifecycle/data/node-systems.json', import.meta.url)
const { systems, own } = JSON.parse(readFileSync(systemsTable, 'utf8')) as {
  systems: Record<string, { product: string }>
  own: Record<string, unknown>
}
const systemLines = Object.keys(systems)
  .sort()
  .map((slug) => {
    const { product } = systems[slug]!
    const rows = releasesFor(product).flatMap((release) => toRow(release, undefined))
    return `${JSON.stringify(slug)}: ${JSON.stringify({ product, cycles: rows })}`
  })
const ownLines = Object.entries(own).map(([slug, facts]) => `${JSON.stringify(slug)}: ${JSON.stringify(facts)}`)
writeFileSync(
  systemsTable,
  `{
"source": "https://endoflife.date (products of github.com/endoflife-date/endoflife.date)",
"gathered": ${JSON.stringify(gathered)},
"systems": {
${systemLines.join(',\n')}
},
"own": {
${ownLines.join(',\n')}
}
}
`,
)

/** Minor versions of Kubernetes as offerings support them: `[version, end, end of extended support]`. */
const offeringsTable = new URL('../src/lifecycle/data/offerings.json', import.meta.url)
const offerings: Record<string, { product: string }> = JSON.parse(readFileSync(offeringsTable, 'utf8')).offerings
const offeringLines = Object.keys(offerings)
  .sort()
  .map((id) => {
    const { product } = offerings[id]!
    const cycles = releasesFor(product).flatMap(({ releaseCycle, eol, eoes }) =>
      /^\d+\.\d+$/.test(releaseCycle) && typeof eol === 'string'
        ? [[releaseCycle, eol, ...(typeof eoes === 'string' ? [eoes] : [])]]
        : [],
    )
    return `${JSON.stringify(id)}: ${JSON.stringify({ product, cycles })}`
  })
writeFileSync(
  offeringsTable,
  `{
"source": "https://endoflife.date (products of github.com/endoflife-date/endoflife.date)",
"gathered": ${JSON.stringify(gathered)},
"offerings": {
${offeringLines.join(',\n')}
}
}
`,
)

function releasesFor(product: string): Release[] {
  const page = readFileSync(join(checkout!, 'products', `${product}.md`), 'utf8')
  const [, head = ''] = /^---\n([\s\S]*?)\n---/.exec(page) ?? []
  return parseDocument(head).toJS().releases
}

/**
 * `[cycle, eol]`, with `lts` where it has that, and with its last release where the bundled releases lack it; nothing for
 * words, and for what ended long ago.
 */
function toRow(
  { releaseCycle: written, eol, lts, releaseDate = '', latest }: Release,
  /** Undefined: the last release does not matter. */
  known: ReadonlySet<string | undefined> | undefined,
): unknown[][] {
  const releaseCycle = written.replace(/^cos-/, '')
  const ended = typeof eol === 'string' ? eol : eol === true ? releaseDate : '9'
  if (!/^\d+(\.\d+)*$/.test(releaseCycle) || eol === undefined || ended < oldest) return []
  const isMissing =
    known && typeof latest === 'string' && /^\d+(\.\d+)+(-\d+)?$/.test(latest) && !known.has(versionKey(latest))
  if (isMissing) return [[releaseCycle, eol, lts ?? false, latest]]
  return [lts ? [releaseCycle, eol, lts] : [releaseCycle, eol]]
}
