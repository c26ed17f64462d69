import { StateFactsFile } from '../../contract/state-facts.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { readLine } from '../../freshness/facts/version-line.ts'
import { type StateFactKind, saveStateFacts } from '../../store/facts/state-fact.ts'
import { checkText } from '../../util/check-text.ts'
import { isObject } from '../../util/json.ts'
import { findFacts } from '../facts/state-facts.ts'
import { markFaults } from './release-faults.ts'

const maxBytes = 16 * 1024 * 1024

const kinds: Record<keyof StateFactsFile, StateFactKind> = {
  projects: 'project',
  releases: 'fault',
  repositories: 'repository',
  rules: 'rule',
  compatibility: 'compatibility',
  removals: 'removal',
  breaking: 'breaking',
  exploited: 'exploited',
}

const members = Object.keys(kinds) as (keyof StateFactsFile)[]

/** Facts are JSON; a catalog is gzip. */
export const isFactsFile = (file: Uint8Array) => Buffer.from(file.subarray(0, 64)).toString().trimStart()[0] === '{'

/**
 * Replaces the operator's own facts, which override all others. Throws `invalid_json` if the file is not JSON, and
 * `invalid_param` for an invalid fact. Returns the number of facts of each kind.
 */
export async function importFacts(db: Db, file: Uint8Array, now: number) {
  const facts = readFacts(file)
  await write(db, 'catalog', async (trx) => {
    for (const name of members) {
      await saveStateFacts(trx, {
        source: 'file',
        kind: kinds[name],
        facts: facts[name],
        asOf: null,
        answeredAt: now,
        state: {},
      })
    }
    await markFaults(trx, await findFacts(trx))
  })
  return Object.fromEntries(members.map((name) => [name, facts[name].length])) as Record<keyof StateFactsFile, number>
}

function readFacts(file: Uint8Array) {
  if (file.length > maxBytes) throw refused('It is larger than 16 MB.')
  const content = parse(file)
  checkText(content, 'facts')
  const unknown = Object.keys(isObject(content) ? content : {}).filter((name) => !Object.hasOwn(kinds, name))
  if (unknown.length > 0) throw refused(`It has a member ${unknown[0]}, and not only ${members.join(', ')}.`)
  const parsed = StateFactsFile.safeParse(content)
  if (!parsed.success) {
    const { path, message, ...issue } = parsed.error.issues[0]!
    const what = issue.code === 'unrecognized_keys' ? `${issue.keys[0]} is no member of it` : message
    throw refused(`${path.join('.')}: ${what}.`)
  }
  const problem = findProblem(parsed.data)
  if (problem !== undefined) throw refused(problem)
  return parsed.data
}

function parse(file: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(file).toString('utf8'))
  } catch {
    throw refused('It is no JSON.')
  }
}

/** A fact without a subject, or with unreadable versions, would silently have no effect. */
function findProblem({ projects, releases, repositories, compatibility }: StateFactsFile) {
  for (const [index, { slug, image_repositories = [], chart_names = [], line, chart }] of projects.entries()) {
    if (slug === undefined && (chart !== undefined || image_repositories.length + chart_names.length === 0))
      return `projects.${index}: name a slug${chart === undefined ? ', image_repositories or chart_names' : ' beside the chart'}.`
    if (line !== undefined && !readLine(line)) return `projects.${index}.line: ${line} is no line such as <2 or >=3 <4.`
  }
  for (const [index, { slug, image_repository, chart_name, versions }] of releases.entries()) {
    if ((slug ?? image_repository ?? chart_name) === undefined)
      return `releases.${index}: name a slug, an image_repository or a chart_name.`
    if (typeof versions === 'string' && !readLine(versions))
      return `releases.${index}.versions: ${versions} is no line such as <2 or >=3 <4.`
  }
  for (const [index, { from, moved_to }] of repositories.entries()) {
    if (from === undefined) continue
    if (moved_to === undefined || !/^v?\d+(\.\d+)*$/.test(from))
      return `repositories.${index}.from: the first version that is at moved_to, such as 2.1.`
  }
  for (const [index, { kubernetes_min, kubernetes_max }] of compatibility.entries()) {
    if (kubernetes_min === null && kubernetes_max === null)
      return `compatibility.${index}: name a kubernetes_min or a kubernetes_max.`
  }
  return undefined
}

function refused(what: string) {
  return new ReltError('invalid_json', `The facts are not imported. ${what}`, {
    hint: 'See the example in docs/catalog.md, "Your own facts".',
  })
}
