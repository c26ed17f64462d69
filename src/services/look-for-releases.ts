import { createHttp } from '../collectors/http.ts'
import { createCollectors } from '../collectors/index.ts'
import { Osv } from '../collectors/osv/index.ts'
import type { CatalogSettings } from '../config/catalog.ts'
import { certificatesOf } from '../config/certificates.ts'
import type { Env } from '../config/env.ts'
import type { TrackedProject } from '../store/source.ts'
import { ensureCatalog } from './catalog.ts'
import { openLookNotes } from './look-notes.ts'
import type { Service } from './service.ts'
import { type Synced, type SyncOptions, syncCatalog } from './sync-catalog.ts'

export interface Looking extends Omit<SyncOptions, 'width'> {
  settings: CatalogSettings
  env: Env
  /** Of the store. */
  folder: string
  signal: AbortSignal
  /** Questions to one host at the same time. */
  concurrency: number
}

/** `syncCatalog` over the network. */
export async function lookForReleases({ db, now, vault }: Service, looking: Looking): Promise<Synced> {
  const { settings, env, folder, signal, concurrency } = looking
  await ensureCatalog(db, now())
  const http = createHttp({
    env,
    ca: certificatesOf(env),
    now,
    signal,
    perHost: concurrency,
    patienceMs: 30_000,
    retryPausesMs: [500, 2_000],
    maxWaitSeconds: 60,
  })
  try {
    const means = {
      collectors: createCollectors({ ...settings, oci: { env, mirrors: settings.registryMirrors } }),
      context: { http, now },
      githubHosts: settings.githubHosts,
      eolUrl: settings.eolUrl,
      vault,
      notes: openLookNotes(folder),
      osv: settings.osvUrl === undefined ? undefined : new Osv({ http, baseUrl: settings.osvUrl }),
      signal,
      credentialOf: async ({ slug, secretHosts }: TrackedProject, host: string) => {
        const { secretFromEnv, getSourceSecret } = await import('../config/source-secret.ts')
        return (
          secretFromEnv(env, slug, host) ??
          (secretHosts.includes(host) ? getSourceSecret(env, folder, slug) : undefined)
        )
      },
    }
    // More than one host may get: while one is slow, others answer, and GraphQL is asked for many at once.
    return await syncCatalog(db, means, { ...looking, width: concurrency * 4 })
  } finally {
    await http.close()
  }
}
