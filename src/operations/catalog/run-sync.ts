import { createAdvisoryLookUp } from '../../collectors/advisory-look-up.ts'
import { createCollectors } from '../../collectors/index.ts'
import type { CatalogSettings } from '../../config/catalog.ts'
import { certificatesFor } from '../../config/certificates.ts'
import type { Env } from '../../config/env.ts'
import type { Db } from '../../db/open.ts'
import { listTrackedProjects, type TrackedProject } from '../../store/catalog/source.ts'
import { findBundle } from '../facts/bundle.ts'
import { ensureCatalog } from './bundled.ts'
import { chooseProjects } from './choose-project.ts'
import type { FactSync } from './fact-sync.ts'
import { sourcesFor } from './source.ts'
import { type AdvisoryLookUps, syncAdvisories } from './sync-advisories.ts'
import { type SourceSyncOptions, type SyncedSources, syncCatalog } from './sync-catalog.ts'
import type { SyncMeans } from './sync-source.ts'
import { openSyncTimes } from './sync-times.ts'

export interface SyncOptions extends Omit<SourceSyncOptions, 'width'> {
  settings: CatalogSettings
  env: Env
  /** Folder of the store. */
  folder: string
  signal: AbortSignal
  /** Maximum parallel requests to one host. */
  concurrency: number
  /** Progress of advisory lookups, which follow the sources. */
  onAdvisory?: ((done: number, total: number) => void) | undefined
}

export interface SyncResult extends SyncedSources {
  advisories: AdvisoryLookUps
  /** Outcomes of fact lists, which no release list contains; empty for a dry run. */
  facts: FactSync[]
}

/** Runs `syncCatalog` over the network, then looks up the advisories that releases mention. */
export async function runSync({ db, now }: { db: Db; now: () => number }, options: SyncOptions): Promise<SyncResult> {
  const { settings, env, folder, signal, concurrency } = options
  await ensureCatalog(db, now())
  const asking = { env, access: settings.access, ca: certificatesFor(env), now, signal, perHost: concurrency }
  const { createHttp, usualPatience } = await import('../../collectors/http.ts')
  const http = createHttp({ ...asking, ...usualPatience })
  // Advisories can wait for the next sync, so these requests have short timeouts.
  const hasty = createHttp({ ...asking, patienceMs: 10_000, retryPausesMs: [500], maxWaitSeconds: 0 })
  try {
    const { secretFromEnv, getSourceSecret, hasGithubToken } = await import('../../config/source-secret.ts')
    const means = {
      ...settings,
      collectors: createCollectors(settings.github, { env, mirrors: settings.registryMirrors }),
      context: { http, now },
      hasToken: hasGithubToken(env, settings),
      notes: openSyncTimes(folder),
      signal,
      credentialFor: async (project: TrackedProject, address: string) => {
        const fromEnv = secretFromEnv(env, project, address)
        if (fromEnv || !project.secretHosts.includes(URL.parse(address)?.host ?? '')) return fromEnv
        return getSourceSecret(env, folder, project.slug, address)
      },
    }
    // More sources in parallel than requests to one host: other hosts answer while one is slow, and GraphQL batches
    // repositories.
    const synced = await syncCatalog(db, means, { ...options, width: concurrency * 4 })
    const facts = await syncFacts(db, means, options)
    const isAskable = settings.osvUrl !== undefined || settings.github.token !== undefined
    if (!isAskable || options.isDry) return { ...synced, facts, advisories: { asked: 0, found: 0, unanswered: 0 } }
    const lookUp = createAdvisoryLookUp(hasty, settings)
    const projectIds = [...new Set(synced.sources.map(({ projectId }) => projectId))]
    const advisories = await syncAdvisories(db, { ...options, lookUp, projectIds, now, width: concurrency })
    return { ...synced, facts, advisories }
  } finally {
    await Promise.all([http.close(), hasty.close()])
  }
}

/** Fact lists belong to no project: a sync of selected projects skips them. */
async function syncFacts(db: Db, means: SyncMeans, { settings, projects, isDry, signal }: SyncOptions) {
  if (isDry || signal.aborted) return []
  const { notes, credentialFor } = means
  const { http, now } = means.context
  const bundle = await findBundle(db)
  const isAskable = (project: TrackedProject) =>
    sourcesFor(project, means, bundle).some(({ kind }) => kind === 'advisories')
  const repositories = chooseProjects(await listTrackedProjects(db), projects).filter(isAskable)
  const { createArchivedCollector } = await import('../../collectors/archived/index.ts')
  const { syncArchived } = await import('./sync-archived.ts')
  const ask = createArchivedCollector(settings.github, http)
  const archived = await syncArchived(db, repositories, { ask, credentialFor, now, notes })
  const { syncLists } = await import('./sync-fact-lists.ts')
  const lists = projects.length > 0 || signal.aborted ? [] : await syncLists(db, settings, { http, now, notes })
  return [...(archived ? [archived] : []), ...lists]
}
