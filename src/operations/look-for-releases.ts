import { createAdvisoryLookUp } from '../collectors/advisory-look-up.ts'
import { createHttp } from '../collectors/http.ts'
import { createCollectors } from '../collectors/index.ts'
import type { CatalogSettings } from '../config/catalog.ts'
import { certificatesOf } from '../config/certificates.ts'
import type { Env } from '../config/env.ts'
import type { Db } from '../db/open.ts'
import type { TrackedProject } from '../store/source.ts'
import { ensureCatalog } from './catalog.ts'
import { openLookNotes } from './look-notes.ts'
import { type LookedUp, lookUpAdvisories } from './look-up-advisories.ts'
import { type Synced, type SyncOptions, syncCatalog } from './sync-catalog.ts'
import type { Vault } from './vault.ts'

interface Store {
  db: Db
  /** Unix seconds. */
  now: () => number
  vault: () => Promise<Vault>
}

export interface Looking extends Omit<SyncOptions, 'width'> {
  settings: CatalogSettings
  env: Env
  /** Of the store. */
  folder: string
  signal: AbortSignal
  /** Questions to one host at the same time. */
  concurrency: number
  /** Of advisories, after the sources. */
  onAsked?: ((done: number, total: number) => void) | undefined
}

export interface LookedForReleases extends Synced {
  advisories: LookedUp
}

/** `syncCatalog` over the network; then the advisories that are named are looked up. */
export async function lookForReleases({ db, now, vault }: Store, looking: Looking): Promise<LookedForReleases> {
  const { settings, env, folder, signal, concurrency } = looking
  await ensureCatalog(db, now())
  const asking = { env, access: settings.access, ca: certificatesOf(env), now, signal, perHost: concurrency }
  const http = createHttp({ ...asking, patienceMs: 30_000, retryPausesMs: [500, 2_000], maxWaitSeconds: 60 })
  // What it tells can wait for the next time.
  const hasty = createHttp({ ...asking, patienceMs: 10_000, retryPausesMs: [500], maxWaitSeconds: 0 })
  try {
    const { secretFromEnv, getSourceSecret, hasGithubToken } = await import('../config/source-secret.ts')
    const means = {
      collectors: createCollectors({ ...settings, oci: { env, mirrors: settings.registryMirrors } }),
      context: { http, now },
      githubHosts: settings.githubHosts,
      eolUrl: settings.eolUrl,
      hasToken: hasGithubToken(env, settings),
      vault,
      notes: openLookNotes(folder),
      signal,
      credentialOf: async (project: TrackedProject, address: string) => {
        const fromEnv = secretFromEnv(env, project, address)
        if (fromEnv || !project.secretHosts.includes(URL.parse(address)?.host ?? '')) return fromEnv
        return getSourceSecret(env, folder, project.slug, address)
      },
    }
    // More than one host may get: while one is slow, others answer, and GraphQL is asked for many at once.
    const synced = await syncCatalog(db, means, { ...looking, width: concurrency * 4 })
    const isAskable = settings.osvUrl !== undefined || settings.github.token !== undefined
    if (!isAskable || looking.isDry) return { ...synced, advisories: { asked: 0, found: 0, unanswered: 0 } }
    const lookUp = createAdvisoryLookUp(hasty, settings)
    const projectIds = [...new Set(synced.looked.map(({ projectId }) => projectId))]
    const { onAsked } = looking
    const advisories = await lookUpAdvisories(db, { lookUp, projectIds, now, signal, width: concurrency, onAsked })
    return { ...synced, advisories }
  } finally {
    await Promise.all([http.close(), hasty.close()])
  }
}
