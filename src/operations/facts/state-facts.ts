import { perBundle } from '../../catalog/bundle.ts'
import { bundledExploited, bundledStateFacts } from '../../catalog/state-facts.ts'
import type { Exploited, ProjectFact, ReleaseFault, RepositoryFact, UpgradeRule } from '../../contract/state-facts.ts'
import type { Db } from '../../db/open.ts'
import { StateFacts } from '../../freshness/facts/state-facts.ts'
import { listStateFacts, type StateFactKind, type StoredStateFacts } from '../../store/facts/state-fact.ts'
import { findBundle } from './bundle.ts'

const factsOf = perBundle((bundle) => new StateFacts(bundledStateFacts(bundle)))

/** The bundled facts, and those from sources and the operator, which override them. */
export async function findFacts(db: Db): Promise<StateFacts> {
  const stored = await listStateFacts(db, ['project', 'fault', 'repository', 'rule'])
  const bundle = await findBundle(db)
  if (stored.every(({ facts }) => facts.length === 0)) return factsOf(bundle)
  const known = bundledStateFacts(bundle)
  // The operator's facts come last, because later ones override earlier ones.
  const inOrder = stored.toSorted((a, b) => Number(a.source === 'file') - Number(b.source === 'file'))
  const own = <T>(kind: StateFactKind) => inOrder.flatMap((one) => (one.kind === kind ? (one.facts as T[]) : []))
  return new StateFacts({
    projects: withoutRepeated([...known.projects, ...own<ProjectFact>('project')]),
    faults: [...known.faults, ...own<ReleaseFault>('fault')],
    repositories: [...known.repositories, ...own<RepositoryFact>('repository')],
    rules: [...known.rules, ...own<UpgradeRule>('rule')],
  })
}

/** GitHub only states that a project is archived. Drops that if another fact says when and why it ended. */
function withoutRepeated(facts: ProjectFact[]): ProjectFact[] {
  const ended = new Set<string>()
  return facts.filter(({ slug, line, chart, state }) => {
    if (slug === undefined || line !== undefined || chart !== undefined || !ends.has(state)) return true
    if (state === 'archived' && ended.has(slug)) return false
    ended.add(slug)
    return true
  })
}

const ends = new Set<ProjectFact['state']>(['retired', 'archived', 'superseded'])

export type FindExploited = (ids: readonly string[]) => Exploited | undefined

const exploitedOf = perBundle(bundledExploited)

/**
 * Looks up exploited vulnerabilities by any of their ids, in the newer of the bundled and the fetched list, and in the
 * operator's own.
 */
export async function findExploited(db: Db): Promise<FindExploited> {
  const stored = await listStateFacts(db, ['exploited'])
  const bundled = exploitedOf(await findBundle(db))
  const list = stored.find(({ source }) => source === 'kev')
  const isLater = list !== undefined && (list.asOf ?? '') >= bundled.asOf
  const known = isLater ? byId(list) : bundled.exploited
  const own = byId(stored.find(({ source }) => source === 'file'))
  const find = (id: string) => own.get(id) ?? known.get(id)
  return (ids) => ids.values().map(find).find(Boolean)
}

function byId(stored: StoredStateFacts | undefined): Map<string, Exploited> {
  const entries = (stored?.facts ?? []) as (Exploited & { id: string })[]
  return new Map(entries.map(({ id, since, due, ransomware }) => [id, { since, due, ransomware }]))
}
