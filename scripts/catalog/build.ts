/**
 * `npm run catalog -- [PROJECT...]`: makes the bundled facts in `src/` from `catalog/`, and collects what its sources publish,
 * of the projects or of all. With `--offline`, makes only what follows from the files; with `--check`, compares that with the
 * bundled files. An interrupted run goes on from where it was.
 */
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bundledCatalog } from '../../src/catalog/bundled.ts'
import { type CollectedFacts, readCollected } from '../../src/catalog/collected.ts'
import { bundledCatalogDate, bundledCatalogEdition } from '../../src/catalog/date.ts'
import type { Exploited } from '../../src/contract/state-facts.ts'
import type { SourceOutcome } from '../../src/operations/catalog/sync-source.ts'
import { formatDay } from '../../src/util/time.ts'
import { changesOf } from './changes.ts'
import { derivedFacts } from './derived-facts.ts'
import { lifecycleFiles } from './lifecycle.ts'
import { outputsOf, toMembers, toRows } from './outputs.ts'
import { unrenewed } from './renewed.ts'
import { readSource } from './source.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, offline: { type: 'boolean' } },
})
const data = (name: string) => `src/catalog/data/${name}.json`
const derived = () => toMembers(Object.entries(derivedFacts()))
const source = readSource()
const outputs = [...Object.entries(outputsOf(source)), ...lifecycleFiles(source, new Map())]
if (values.check) {
  const all = [...outputs, [data('derived'), derived()] as const]
  const { history } = bundledCatalog()
  const old = unrenewed(source, history, bundledCatalogDate)
  if (old.length > 0) throw new Error(old.join('\n'))
  const stale = all.flatMap(([file, text]) => (readFileSync(file, 'utf8') === text ? [] : [file]))
  if (stale.length > 0) throw new Error(`Not as npm run catalog -- --offline writes it: ${stale.join(', ')}`)
  console.log(`${source.projects.size} projects: each fact has an address and a day, and a source renews it.`)
} else {
  for (const [file, text] of outputs) writeFileSync(file, text)
  if (!values.offline) await update()
  writeFileSync(data('derived'), derived())
}

async function update() {
  // Reads the files when it is loaded, which were written only now.
  const { collect } = await import('./collect.ts')
  const before = { ...bundledCatalog(), collected: readCollected() }
  const key = hash('sha256', readFileSync(data('projects')), 'hex').slice(0, 16)
  const interruption = new AbortController()
  process.once('SIGINT', () => interruption.abort(new Error('Interrupted. Run it again to go on.')))
  const { signal } = interruption
  const { systems, offerings } = source.lists.systems
  const products = positionals.length > 0 ? [] : [...Object.values(systems), ...Object.values(offerings)]
  const wish = { projects: positionals, products, signal, onSource: report }
  const found = await collect(`node_modules/.cache/catalog/${key}`, wish)
  for (const line of changesOf(before, found)) console.log(line)
  writeFileSync(data('releases'), toMembers(Object.entries(found.releases)))
  writeFileSync(data('history'), toMembers(Object.entries(found.history)))
  writeFileSync(data('advisories'), toMembers(Object.entries(found.advisories)))
  writeFileSync(data('collected'), toRows(found.collected))
  if (found.exploited) writeFileSync(data('exploited'), toExploited(found.exploited))
  for (const [path, text] of lifecycleFiles(source, found.cycles)) writeFileSync(path, text)
  nameEdition()
}

/** The catalog's day is that of a build of all projects; some projects make another edition of it. */
function nameEdition() {
  const isWhole = positionals.length === 0
  const dates = 'src/catalog/date.ts'
  const day = isWhole ? formatDay(Date.now() / 1000) : bundledCatalogDate
  const edition = isWhole ? 1 : bundledCatalogEdition + 1
  const text = readFileSync(dates, 'utf8').replace(/(?<=bundledCatalogDate = ')[^']+/, day)
  writeFileSync(dates, text.replace(/(?<=Edition = )\d+/, String(edition)))
}

function report({ slug, kind, outcome, reason, added }: SourceOutcome, done: number, total: number) {
  const more = [added > 0 && `${added} new`, reason].filter(Boolean).map((part) => `, ${part}`)
  console.error(`${done}/${total} ${slug} ${kind}: ${outcome}${more.join('')}`)
}

function toExploited({ as_of, facts }: CollectedFacts) {
  const rows = (facts as (Exploited & { id: string })[]).map(({ id, since, due, ransomware }) => {
    return JSON.stringify([id, since, due, ransomware ? 1 : 0])
  })
  return `{\n"as_of":${JSON.stringify(as_of)},\n"exploited":[\n${rows.join(',\n')}\n]}\n`
}
