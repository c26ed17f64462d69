/**
 * `node scripts/catalog/derive.ts`: writes `src/catalog/data/derived.json`, which follows from the other files there.
 * Run it after each change of releases, advisories or tag patterns. A test compares the file with them.
 */
import { writeFileSync } from 'node:fs'
import { derivedFacts } from './derived-facts.ts'

const lines = Object.entries(derivedFacts()).map(([slug, facts]) => `${JSON.stringify(slug)}:${JSON.stringify(facts)}`)
writeFileSync('src/catalog/data/derived.json', `{\n${lines.join(',\n')}\n}\n`)
