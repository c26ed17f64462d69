import { createAdvisoryLookUp } from '../../collectors/advisory-look-up.ts'
import { createHttp, type Http } from '../../collectors/http.ts'
import { createCollectors } from '../../collectors/index.ts'
import type { CatalogSettings } from '../../config/catalog.ts'
import { certificatesOf } from '../../config/certificates.ts'
import type { Env } from '../../config/env.ts'
import type { Db } from '../../db/open.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'
import type { ExploitedSync } from '../facts/sync-exploited.ts'
import { ensureCatalog } from './bundled.ts'
import { type AdvisoryLookUps, syncAdvisories } from './sync-advisories.ts'
import { type SourceSyncOptions, type SyncedSources, syncCatalog } from './sync-catalog.ts'
import { openSyncTimes } from './sync-times.ts'

interface Store {
  db: Db
  /** Unix seconds. */
  now: () => number
}

export interface SyncOptions extends Omit<SourceSyncOptions, 'width'> {
  settings: CatalogSettings
  env: Env
  /** Folder of the store. */
  folder: string
  signal: AbortSignal
  /** Requests to one host at the same time. */
  concurrency: number
  /** Progress of advisories, after the sources. */
  onAdvisory?: ((done: number, total: number) => void) | undefined
}

export interface SyncResult extends SyncedSources {
  advisories: AdvisoryLookUps
  /** Undefined where the list was not asked for: a sync of some projects, a dry one, or none is set. */
  exploited: ExploitedSync | undefined
}

/** Runs `syncCatalog` over the network, then looks up the advisories that releases name. */
export async function runSync({ db, now }: Store, options: SyncOptions): Promise<SyncResult> {
  const { settings, env, folder, signal, concurrency } = options
  await ensureCatalog(db, now())
  const asking = { env, access: settings.access, ca: certificatesOf(env), now, signal, perHost: concurrency }
  const http = createHttp({ ...asking, patienceMs: 30_000, retryPausesMs: [500, 2_000], maxWaitSeconds: 60 })
  // Advisories can wait for the next sync, so they get little patience.
  const hasty = createHttp({ ...asking, patienceMs: 10_000, retryPausesMs: [500], maxWaitSeconds: 0 })
  try {
    const { secretFromEnv, getSourceSecret, hasGithubToken } = await import('../../config/source-secret.ts')
    const means = {
      collectors: createCollectors({ ...settings, oci: { env, mirrors: settings.registryMirrors } }),
      context: { http, now },
      githubHosts: settings.githubHosts,
      eolUrl: settings.eolUrl,
      osvUrl: settings.osvUrl,
      hasToken: hasGithubToken(env, settings),
      notes: openSyncTimes(folder),
      signal,
      credentialOf: async (project: TrackedProject, address: string) => {
        const fromEnv = secretFromEnv(env, project, address)
        if (fromEnv || !project.secretHosts.includes(URL.parse(address)?.host ?? '')) return fromEnv
        return getSourceSecret(env, folder, project.slug, address)
      },
    }
    // More sources than requests to one host: other hosts answer while one is slow, and GraphQL batches repositories.
    const synced = await syncCatalog(db, means, { ...options, width: concurrency * 4 })
    const exploited = await syncList(db, { http, now, settings, options })
    const isAskable = settings.osvUrl !== undefined || settings.github.token !== undefined
    if (!isAskable || options.isDry) return { ...synced, exploited, advisories: { asked: 0, found: 0, unanswered: 0 } }
    const lookUp = createAdvisoryLookUp(hasty, settings)
    const projectIds = [...new Set(synced.sources.map(({ projectId }) => projectId))]
    const { onAdvisory } = options
    const advisories = await syncAdvisories(db, { lookUp, projectIds, now, signal, width: concurrency, onAdvisory })
    return { ...synced, exploited, advisories }
  } finally {
    await Promise.all([http.close(), hasty.close()])
  }
}

/** The list is of no project: a sync of some leaves it alone. */
async function syncList(
  db: Db,
  {
    http,
    now,
    settings,
    options,
  }: Pick<SyncOptions, 'settings'> & { http: Http; now: () => number; options: SyncOptions },
): Promise<ExploitedSync | undefined> {
  const { exploitedUrl: url } = settings
  if (url === undefined || options.isDry || options.projects.length > 0 || options.signal.aborted) return undefined
  const { syncExploited } = await import('../facts/sync-exploited.ts')
  return syncExploited(db, { http, url, now })
}
