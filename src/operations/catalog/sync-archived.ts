import type { AskRepositoryState, RepositoryState } from '../../collectors/archived/index.ts'
import type { Credential } from '../../collectors/collector.ts'
import type { ProjectFact } from '../../contract/state-facts.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'
import { findStateFacts, saveStateFacts } from '../../store/facts/state-fact.ts'
import { daySeconds, formatDay } from '../../util/time.ts'
import { type FactSync, factsKey, mostDays } from './fact-sync.ts'
import type { SyncTimes } from './sync-times.ts'

interface ArchivedMeans {
  ask: AskRepositoryState
  /** Throws `ReltError` if a configured secret cannot be read. */
  credentialFor: (project: TrackedProject, address: string) => Promise<Credential | undefined>
  /** Unix seconds. */
  now: () => number
  notes: SyncTimes
}

type Answers = Map<string, ProjectFact | undefined>

const place = { source: 'github', kind: 'project' } as const

/** Checks which projects are archived. Known facts stay if a repository does not answer. */
export async function syncArchived(
  db: Db,
  projects: readonly TrackedProject[],
  means: ArchivedMeans,
): Promise<FactSync | undefined> {
  if (projects.length === 0) return undefined
  const asked = await Promise.all(projects.map(async (project) => ({ project, state: await stateFor(project, means) })))
  const answers: Answers = new Map()
  for (const { project, state } of asked) {
    if (state.kind === 'archived') answers.set(project.slug, toFact(project, state.since))
    if (state.kind === 'open') answers.set(project.slug, undefined)
  }
  if (answers.size > 0) return save(db, answers, means)
  const known = await findStateFacts(db, place.source, place.kind)
  return {
    ...place,
    ...toFailure(asked.map(({ state }) => state)),
    facts: known?.facts.length ?? 0,
    as_of: known?.answeredAt ? formatDay(known.answeredAt) : null,
  }
}

async function stateFor(project: TrackedProject, { ask, credentialFor }: ArchivedMeans): Promise<RepositoryState> {
  try {
    return await ask({ url: project.repoUrl, credential: await credentialFor(project, project.repoUrl) })
  } catch (error) {
    return { kind: 'unreachable', reason: error instanceof Error ? error.message : 'it cannot be read' }
  }
}

function toFact({ slug, name, repoUrl }: TrackedProject, since: number | undefined): ProjectFact {
  return {
    slug,
    name,
    state: 'archived',
    ...(since !== undefined && { since: formatDay(since) }),
    what: 'Its repository is archived on GitHub: nothing in it changes any more.',
    source: repoUrl,
  }
}

async function save(db: Db, answers: Answers, { now, notes }: ArchivedMeans): Promise<FactSync> {
  const answeredAt = now()
  const merged = async (on: Db) => {
    const known = await findStateFacts(on, place.source, place.kind)
    const before = (known?.facts ?? []) as ProjectFact[]
    const facts = merge(before, answers)
    return { known, facts, isSame: JSON.stringify(facts) === JSON.stringify(before) }
  }
  const { known, facts, isSame } = await merged(db)
  if (known && isSame && answeredAt - (known.answeredAt ?? 0) < mostDays * daySeconds) {
    notes.note([{ slug: factsKey, kind: place.source }], answeredAt)
  } else {
    await write(db, 'catalog', async (trx) => {
      const { facts } = await merged(trx)
      await saveStateFacts(trx, { ...place, facts, asOf: null, answeredAt, state: {} })
    })
  }
  const outcome = isSame ? 'unchanged' : 'changed'
  return { ...place, outcome, reason: null, facts: facts.length, as_of: formatDay(answeredAt) }
}

/** Merges facts by slug. */
function merge(known: readonly ProjectFact[], answers: Answers) {
  const kept = known.filter(({ slug }) => !answers.has(slug!))
  const told = [...answers.values()].filter((fact) => fact !== undefined)
  return [...kept, ...told].sort((a, b) => (a.slug! < b.slug! ? -1 : 1))
}

function toFailure(states: readonly RepositoryState[]): Pick<FactSync, 'outcome' | 'reason'> {
  const failed = states.find(({ kind }) => kind === 'limited') ?? states[0]
  if (failed?.kind === 'limited') return { outcome: 'limited', reason: null }
  return { outcome: 'unreachable', reason: failed && 'reason' in failed ? failed.reason : null }
}
