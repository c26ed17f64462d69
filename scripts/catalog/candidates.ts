/**
 * `node scripts/catalog/candidates.ts [ADDRESS...]`: reads the repositories of the projects, or those given, for what is
 * retired and for releases that were taken back, and writes `catalog/candidates.yaml`. A person reads each open row, writes
 * the fact into the other files of `catalog/` and sets the verdict, which stays. docs/catalog.md describes the machines.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { askMachines } from './candidates/ask-machines.ts'
import { type Candidate, mergeCandidates } from './candidates/candidate.ts'
import { readRepository } from './candidates/read-repository.ts'
import { toRows } from './outputs.ts'
import { readSource } from './source.ts'

const { values, positionals } = parseArgs({
  options: { output: { type: 'string', default: 'catalog/candidates.yaml' } },
  allowPositionals: true,
})
const projects = [...readSource().projects].map(([slug, { name, repo_url: url }]) => ({ slug, name, url }))
const slugs = new Map(projects.map(({ slug, name }) => [name.toLowerCase(), slug]))
const addresses = new Set(positionals.length > 0 ? positionals : projects.map(({ url }) => url))
const queue = addresses.values()
const read = new Set<string>()
const found: Candidate[] = []
const work = async () => {
  for (const url of queue) {
    try {
      const owners = projects.filter((project) => project.url === url)
      found.push(...askMachines({ url, slugs, owners, ...(await readRepository(url)) }))
      read.add(url)
    } catch (error) {
      console.error(`${url}: ${error instanceof Error ? error.message.trim().split('\n').at(-1) : error}`)
    }
  }
}
await Promise.all(Array.from({ length: 4 }, work))
const before: Candidate[] = existsSync(values.output) ? parse(readFileSync(values.output, 'utf8')) : []
const rows = mergeCandidates(before, found, read)
// JSON is YAML, too.
writeFileSync(values.output, toRows(rows))
const open = rows.filter(({ verdict }) => verdict === 'open')
console.log(
  `${read.size} of ${addresses.size} repositories read: ${rows.length} candidates, ${open.length} of them open`,
)
