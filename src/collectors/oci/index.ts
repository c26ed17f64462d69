import { parseImageRef } from '../../freshness/image-ref.ts'
import { remember } from '../../util/remember.ts'
import type { Collector, Source } from '../collector.ts'
import type { Http } from '../http.ts'
import { toFailure } from '../outcome.ts'
import { createDockerCredentials } from './docker-credentials.ts'
import { answerIn, Registries } from './registry.ts'
import { readCursor } from './seen-tags.ts'

export interface OciSettings {
  /** Environment with the location of Docker's configuration, and for its helpers. */
  env: Record<string, string | undefined>
  /** Mirrors of registries, by host. */
  mirrors?: Record<string, string>
}

/** Chart versions below an `oci://host/path` URL; for a project without charts, the tags of the image there. */
export function createOciCollector({ env, mirrors = {} }: OciSettings): Collector {
  const findCredential = createDockerCredentials(env)
  const opened = new WeakMap<Http, Registries>()
  return {
    async collect(source, { cursor }, context) {
      const wanted = repositoriesFor(source)
      if (wanted.length === 0) return { kind: 'absent', reason: 'the address is none of a registry' }
      const { collectRepository } = await import('./collect-repository.ts')
      const known = readCursor(cursor)
      const registries = remember(opened, context.http, () => new Registries({ findCredential, mirrors }, context.http))
      const results = await Promise.all(
        wanted.map(async ({ repository, chartName }) => {
          const kept = known.get(repository.name)
          const asked = { repository: registries.in(repository), chartName, kept }
          return collectRepository(asked, source, context).catch((error: unknown) => ({
            releases: [],
            kept,
            failure: answerIn(error),
          }))
        }),
      )
      const releases = results.flatMap((result) => result.releases)
      // Repositories that did not answer are requested again by the next sync.
      const kept = results.map((result, index) => [wanted[index]!.repository.name, result.kept])
      const state = { cursor: JSON.stringify(Object.fromEntries(kept)) }
      if (releases.length > 0) return { kind: 'changed', releases, state }
      const failures = results.flatMap((result) =>
        'failure' in result && result.failure.kind !== 'unchanged' ? result.failure : [],
      )
      const failure =
        failures.find(({ kind }) => kind !== 'absent') ?? (failures.length === results.length && failures[0])
      return failure ? toFailure(failure) : { kind: 'unchanged', state }
    },
  }
}

function repositoriesFor({ url, chartNames, credential: given }: Source) {
  const path = /^oci:\/\/([^?#@]+)$/.exec(url)?.[1]?.replace(/(?<!\/)\/+$/, '')
  if (path === undefined) return []
  const credential = given && { username: 'token', ...given }
  const paths =
    chartNames.length > 0
      ? chartNames.map((chartName) => ({ path: `${path}/${chartName}`, chartName }))
      : [{ path, chartName: '' }]
  return paths.flatMap(({ path, chartName }) => {
    const ref = parseImageRef(path.toLowerCase())
    return ref && ref.tag === null && ref.digest === null
      ? [{ repository: { host: ref.registry, name: ref.repository, credential }, chartName }]
      : []
  })
}
