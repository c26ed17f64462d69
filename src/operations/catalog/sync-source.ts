import { isDeepStrictEqual } from 'node:util'
import type { CollectContext, CollectOutcome, Collector, Credential } from '../../collectors/collector.ts'
import type { NoAnswer } from '../../collectors/http/failure.ts'
import type { SourceState } from '../../collectors/source-state.ts'
import type { SourceKind } from '../../contract/source-kind.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import type { ReleaseNews, SaveResult } from '../../store/catalog/collected-release.ts'
import { type StoredSource, saveSourceCheck, type TrackedProject } from '../../store/catalog/source.ts'
import { daySeconds } from '../../util/time.ts'
import { mostDays } from './fact-sync.ts'
import { recordReleaseNews } from './record-events.ts'
import { saveOutcome } from './save-outcome.ts'
import type { ProjectSource, SourceHosts } from './source.ts'
import type { SyncTimes } from './sync-times.ts'

export interface SyncMeans extends SourceHosts {
  collectors: Partial<Record<SourceKind, Collector>>
  context: Omit<CollectContext, 'since'>
  notes: SyncTimes
  /** Throws `ReltError` if a configured secret cannot be read. */
  credentialFor: (project: TrackedProject, address: string) => Promise<Credential | undefined>
  /** Cancels requests in flight; finished sources stay saved. */
  signal: AbortSignal
}

export interface SourceOutcome {
  projectId: number
  slug: string
  name: string
  kind: SourceKind
  url: string
  outcome: CollectOutcome['kind']
  reason: string | null
  /** The parts of the reason, if the host did not answer. */
  noAnswer?: NoAnswer | undefined
  /** Unix seconds. */
  retryAt: number | null
  added: number
  updated: number
  news: ReleaseNews[]
}

/** Saves a source's releases together with its state for conditional requests. Returns undefined if cancelled. */
export async function syncSource(
  db: Db,
  means: SyncMeans,
  job: ProjectSource,
  { since, isDry }: { since?: number | undefined; isDry: boolean },
) {
  const { project, source, kept } = job
  const outcome = await collect(means, job, since)
  if (means.signal.aborted && outcome.kind === 'unreachable') return undefined
  const synced: SourceOutcome = {
    projectId: project.id,
    slug: project.slug,
    name: project.name,
    kind: source.kind,
    url: source.url,
    outcome: outcome.kind,
    reason: 'reason' in outcome ? outcome.reason : null,
    noAnswer: outcome.kind === 'unreachable' ? outcome.noAnswer : undefined,
    retryAt: 'retryAt' in outcome ? (outcome.retryAt ?? null) : null,
    ...nothing,
  }
  const now = means.context.now()
  if (outcome.kind === 'unchanged' && kept && isAsKept(outcome, kept, now)) return synced
  if (isDry) return outcome.kind === 'changed' ? { ...synced, ...(await tryOut(db, job, outcome)) } : synced
  const saved = await write(db, 'catalog', async (trx) => {
    const saved = outcome.kind === 'changed' ? await saveOutcome(trx, project, outcome, { source, now }) : nothing
    // The first sync of a source reads old releases, which are not announced.
    if (kept) await recordReleaseNews(trx, { projectId: project.id, news: saved.news, now })
    // The state for conditional requests is specific to a URL.
    const state = 'state' in outcome ? { state: outcome.state } : !kept && { state: {} }
    const hasFacts = outcome.kind === 'changed' && (outcome.cycles ?? outcome.catalogAdvisories) !== undefined
    const hasNews = saved.added + saved.updated > 0 || hasFacts
    await saveSourceCheck(trx, { ...synced, ...state, hasNews }, now)
    return saved
  })
  return { ...synced, ...saved }
}

const nothing: SaveResult = { added: 0, updated: 0, news: [] }

/** Whether the last sync was successful and recent, with the same state. */
function isAsKept({ state }: { state: SourceState }, kept: StoredSource, now: number) {
  const isOk = kept.outcome === 'changed' || kept.outcome === 'unchanged'
  return isOk && now - kept.lookedAt < mostDays * daySeconds && isDeepStrictEqual(state, kept.state)
}

/** Saves in a transaction that is rolled back, and returns the counts. */
async function tryOut(db: Db, { project, source }: ProjectSource, found: Extract<CollectOutcome, { kind: 'changed' }>) {
  const trial = await db.startTransaction().execute()
  try {
    return await saveOutcome(trial, project, found, { source, now: 0 })
  } finally {
    await trial.rollback().execute()
  }
}

async function collect(
  means: SyncMeans,
  { project, source, kept }: ProjectSource,
  since: number | undefined,
): Promise<CollectOutcome> {
  const { collectors, context, credentialFor } = means
  const collector = collectors[source.kind]
  if (!collector) return { kind: 'absent', reason: `relt does not read sources of the kind ${source.kind}` }
  try {
    const credential =
      source.kind === 'eol' || source.kind === 'osv' ? undefined : await credentialFor(project, source.url)
    return await collector.collect({ ...source, credential }, kept?.state ?? {}, { ...context, since })
  } catch (error) {
    return { kind: 'unreachable', reason: (error as Error).message }
  }
}
