import { parseImageRef } from '../../freshness/image-ref.ts'
import { remember } from '../../util/remember.ts'
import type { CollectContext, CollectOutcome, Collector, Source } from '../collector.ts'
import type { Http } from '../http.ts'
import { toFailure } from '../outcome.ts'
import type { SourceState } from '../source-state.ts'
import type { RepositoryResult } from './collect-repository.ts'
import { createDockerCredentials } from './docker-credentials.ts'
import { Registries } from './registry.ts'
import { type Cursor, readCursor } from './seen-tags.ts'

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
    async collect(source: Source, state: SourceState, context: CollectContext): Promise<CollectOutcome> {
      const wanted = repositoriesFor(source)
      if (!wanted) return { kind: 'absent', reason: 'the address is none of a registry' }
      const { collectRepository } = await import('./collect-repository.ts')
      const cursor = readCursor(state.cursor)
      const registries = remember(opened, context.http, () => new Registries({ findCredential, mirrors }, context.http))
      const looked = await Promise.all(
        wanted.map(async ({ repository, chartName }) => {
          const kept = Object.entries(cursor).find(([name]) => name === repository.name)?.[1]
          const looked = await collectRepository(registries.in(repository), { chartName, kept }, { source, context })
          return { name: repository.name, kept, looked }
        }),
      )
      return outcomeFor(looked)
    },
  }
}

/** Repositories that answered count; others are requested again by the next sync. */
function outcomeFor(
  looked: { name: string; kept: Cursor[string] | undefined; looked: RepositoryResult }[],
): CollectOutcome {
  const releases = looked.flatMap(({ looked }) => (looked.kind === 'ok' ? looked.releases : []))
  const kept = looked.flatMap(({ name, kept, looked }): [string, Cursor[string]][] => {
    const next = looked.kind === 'ok' ? looked.kept : kept
    return next ? [[name, next]] : []
  })
  const state = { cursor: JSON.stringify(Object.fromEntries(kept)) }
  if (releases.length > 0) return { kind: 'changed', releases, state }
  const failures = looked.flatMap(({ looked }) => (looked.kind === 'ok' ? [] : [looked]))
  const failure = failures.find(({ kind }) => kind !== 'absent') ?? (failures.length === looked.length && failures[0])
  return failure ? toFailure(failure) : { kind: 'unchanged', state }
}

function repositoriesFor(source: Source) {
  const path = /^oci:\/\/([^?#@]+)$/.exec(source.url)?.[1]?.replace(/(?<!\/)\/+$/, '')
  if (path === undefined) return undefined
  const { username = 'token', secret } = source.credential ?? {}
  const credential = secret === undefined ? undefined : { username, secret }
  const paths =
    source.chartNames.length > 0
      ? source.chartNames.map((chartName) => ({ path: `${path}/${chartName}`, chartName }))
      : [{ path, chartName: '' }]
  const found = paths.flatMap(({ path, chartName }) => {
    const ref = parseImageRef(path.toLowerCase())
    return ref && ref.tag === null && ref.digest === null
      ? [{ repository: { host: ref.registry, name: ref.repository, credential }, chartName }]
      : []
  })
  return found.length > 0 ? found : undefined
}
