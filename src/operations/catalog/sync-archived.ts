import type { AskRepositoryStates, RepositoryState } from '../../collectors/archived/index.ts'
import type { Credential } from '../../collectors/collector.ts'
import type { ProjectFact } from '../../contract/state-facts.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'
import { findStateFacts } from '../../store/facts/state-fact.ts'
import { daySeconds, formatDay } from '../../util/time.ts'
import { type FactSync, factsKey, mostDays } from './fact-sync.ts'
import { saveProjectFacts } from './project-facts.ts'
import type { SyncTimes } from './sync-times.ts'

interface ArchivedMeans {
  ask: AskRepositoryStates
  /** Throws `ReltError` if a configured secret cannot be read. */
  credentialFor: (project: TrackedProject, address: string) => Promise<Credential | undefined>
  /** Unix seconds. */
  now: () => number
  notes: SyncTimes
}

const place = { source: 'github', kind: 'project' } as const

/** Checks which projects are archived. Known facts stay if a repository does not answer. */
export async function syncArchived(
  db: Db,
  projects: readonly TrackedProject[],
  means: ArchivedMeans,
): Promise<FactSync | undefined> {
  if (projects.length === 0) return undefined
  const failures: RepositoryState[] = []
  const sources = projects.map(async (project) => {
    try {
      const url = project.repoUrl
      return [{ project, source: { url, credential: await means.credentialFor(project, url) } }]
    } catch (error) {
      failures.push({ kind: 'unreachable', reason: (error as Error).message })
      return []
    }
  })
  const asked = (await Promise.all(sources)).flat()
  const states = await means.ask(asked.map(({ source }) => source))
  const answers = asked.flatMap(({ project, source }) => {
    const state = states.get(source)
    return state?.kind === 'archived' || state?.kind === 'open' ? [{ project, state }] : []
  })
  if (answers.length === 0) return toFailure(db, [...states.values(), ...failures])
  const answered = new Set(answers.map(({ project }) => project.slug))
  const now = means.now()
  const { facts, isSame, isSaved } = await write(db, 'catalog', (trx) =>
    saveProjectFacts(trx, {
      source: place.source,
      found: answers.flatMap(({ project, state }) => (state.kind === 'archived' ? toFact(project, state.since) : [])),
      isKept: ({ slug }) => !answered.has(slug!),
      now,
      savedSince: now - mostDays * daySeconds,
    }),
  )
  if (!isSaved) means.notes.note([{ slug: factsKey, kind: place.source }], now)
  const outcome = isSame ? 'unchanged' : 'changed'
  return { ...place, outcome, reason: null, facts: facts.length, as_of: formatDay(now) }
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

async function toFailure(db: Db, states: readonly RepositoryState[]): Promise<FactSync> {
  const failed = states.find(({ kind }) => kind === 'limited') ?? states[0]!
  const known = await findStateFacts(db, place.source, place.kind)
  return {
    ...place,
    outcome: failed.kind === 'limited' ? 'limited' : 'unreachable',
    reason: 'reason' in failed ? failed.reason : null,
    facts: known?.facts.length ?? 0,
    as_of: known?.answeredAt ? formatDay(known.answeredAt) : null,
  }
}
