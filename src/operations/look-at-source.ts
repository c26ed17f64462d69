import { isDeepStrictEqual } from 'node:util'
import type {
  CollectContext,
  Collector,
  Credential,
  Outcome,
  Source,
  SourceKind,
  SourceState,
} from '../collectors/collector.ts'
import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import type { ReleaseNews, Saved } from '../store/collected-release.ts'
import { type KeptSource, saveLook, type TrackedProject } from '../store/source.ts'
import type { SourceHosts } from './catalog-source.ts'
import type { LookNotes } from './look-notes.ts'
import { saveFound } from './save-found.ts'
import { findFollowers, tellFollowers } from './tell-followers.ts'
import type { Vault } from './vault.ts'

export interface SyncMeans extends SourceHosts {
  collectors: Partial<Record<SourceKind, Collector>>
  context: Omit<CollectContext, 'since'>
  /** Of the store: addresses of followers are sealed. */
  vault: () => Promise<Vault>
  notes: LookNotes
  /** Throws `ReltError` when a secret that there should be is not to be had. */
  credentialOf: (project: TrackedProject, address: string) => Promise<Credential | undefined>
  /** Asks to stop: what is under way is left, what is done stays. */
  signal: AbortSignal
}

export interface Job {
  project: TrackedProject
  source: Source
  kept: KeptSource | undefined
}

export interface LookedAt {
  projectId: number
  slug: string
  name: string
  kind: SourceKind
  url: string
  outcome: Outcome['kind']
  reason: string | null
  /** Unix seconds. */
  retryAt: number | null
  added: number
  updated: number
  news: ReleaseNews[]
}

/** What a source brought and what to ask it next time are saved together. Undefined when it was asked to stop. */
export async function lookAtSource(
  db: Db,
  means: SyncMeans,
  job: Job,
  { since, isDry }: { since?: number | undefined; isDry: boolean },
): Promise<LookedAt | undefined> {
  const { project, source, kept } = job
  const outcome = await collect(means, job, since)
  if (means.signal.aborted && outcome.kind === 'unreachable') return undefined
  const looked: LookedAt = {
    projectId: project.id,
    slug: project.slug,
    name: project.name,
    kind: source.kind,
    url: source.url,
    outcome: outcome.kind,
    reason: 'reason' in outcome ? outcome.reason : null,
    retryAt: 'retryAt' in outcome ? (outcome.retryAt ?? null) : null,
    ...nothing,
  }
  const now = means.context.now()
  if (outcome.kind === 'unchanged' && kept && isAsKept(outcome, kept, now)) return looked
  if (isDry) return outcome.kind === 'changed' ? { ...looked, ...(await tryOut(db, project, outcome)) } : looked
  // The first look catches up, which is no news.
  const followers =
    kept && outcome.kind === 'changed' ? await findFollowers({ db, vault: means.vault }, project.id) : []
  const saved = await inTransaction(db, async (trx) => {
    const saved = outcome.kind === 'changed' ? await saveFound(trx, project, outcome, now) : nothing
    await tellFollowers(trx, { followers, projectId: project.id, news: saved.news, now })
    // What was known at another address is of no use at this one.
    const state = 'state' in outcome ? { state: outcome.state } : !kept && { state: {} }
    const hasNews = saved.added + saved.updated > 0 || (outcome.kind === 'changed' && outcome.cycles !== undefined)
    await saveLook(trx, { ...looked, ...state, hasNews }, now)
    return saved
  })
  return { ...looked, ...saved }
}

const nothing: Saved = { added: 0, updated: 0, news: [] }

/** Freshness reads in the store how old its facts are: about so many days must be right. */
const mostDays = 7

/** It answered at the last look, too, not long ago, and has the same to ask it next time. */
function isAsKept({ state }: { state: SourceState }, kept: KeptSource, now: number): boolean {
  const isOk = kept.outcome === 'changed' || kept.outcome === 'unchanged'
  return isOk && now - kept.lookedAt < mostDays * 86_400 && isDeepStrictEqual(state, kept.state)
}

/** What saving would do. */
async function tryOut(db: Db, project: TrackedProject, found: Extract<Outcome, { kind: 'changed' }>): Promise<Saved> {
  const trial = await db.startTransaction().execute()
  try {
    return await saveFound(trial, project, found, 0)
  } finally {
    await trial.rollback().execute()
  }
}

async function collect(means: SyncMeans, { project, source, kept }: Job, since: number | undefined): Promise<Outcome> {
  const { collectors, context, credentialOf } = means
  const collector = collectors[source.kind]
  if (!collector) return { kind: 'absent', reason: `relt does not read sources of the kind ${source.kind}` }
  try {
    const credential = source.kind === 'eol' ? undefined : await credentialOf(project, source.url)
    return await collector.collect({ ...source, credential }, kept?.state ?? {}, { ...context, since })
  } catch (error) {
    return { kind: 'unreachable', reason: error instanceof Error ? error.message : 'it cannot be read' }
  }
}
