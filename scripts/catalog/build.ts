/**
 * `npm run catalog`: makes the bundled facts in `src/` from `catalog/`, and collects what its sources publish. With
 * `--offline`, makes only what follows from the files; with `--check`, compares that with the bundled files.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { derivedFacts } from './derived-facts.ts'
import { outputsOf, toMembers } from './outputs.ts'
import { readSource } from './source.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean' }, offline: { type: 'boolean' } } })
const source = readSource()
const derived = 'src/catalog/data/derived.json'
const outputs = Object.entries(outputsOf(source))
if (values.check) {
  const all = [...outputs, [derived, toMembers(Object.entries(derivedFacts()))] as const]
  const stale = all.flatMap(([file, text]) => (readFileSync(file, 'utf8') === text ? [] : [file]))
  if (stale.length > 0) throw new Error(`Not as npm run catalog -- --offline writes it: ${stale.join(', ')}`)
  console.log(`${source.projects.size} projects: each fact has an address and a day.`)
} else {
  for (const [file, text] of outputs) writeFileSync(file, text)
  writeFileSync(derived, toMembers(Object.entries(derivedFacts())))
}
