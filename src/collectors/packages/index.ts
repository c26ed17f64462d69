import * as z from 'zod/mini'
import type { PackageSource } from '../../contract/source-kind.ts'
import { parseTimestamp } from '../../util/time.ts'
import type { CollectContext, CollectOutcome, Collector, Source } from '../collector.ts'
import { authorization, toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import { shortHash } from '../short-hash.ts'
import type { SourceState } from '../source-state.ts'
import { createTagReader } from '../tag-reader.ts'
import { plainReleases } from '../tag-releases.ts'

const maxBytes = 64 * 1024 * 1024

const text = z.string()
const NpmPackage = z.object({
  time: z.record(text, text),
  versions: z.record(text, z.object({ deprecated: z.optional(z.unknown()) })),
})
const File = z.object({ upload_time_iso_8601: text, yanked: z.boolean() })
const PypiPackage = z.object({ releases: z.record(text, z.array(File)) })

/** Versions of a package with their times, without withdrawn ones; none in an answer of another form. */
const readers: Record<PackageSource, { type: string; read: (body: Buffer) => (readonly [string, string])[] }> = {
  /** https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
  npm: {
    type: 'application/json',
    read(body) {
      const { time = {}, versions = {} } = parseJson(body, NpmPackage) ?? {}
      return Object.entries(time).filter(
        ([version]) => Object.hasOwn(versions, version) && !versions[version]!.deprecated,
      )
    },
  },
  /** https://docs.pypi.org/api/json/ */
  pypi: {
    type: 'application/json',
    read: (body) =>
      Object.entries(parseJson(body, PypiPackage)?.releases ?? {}).flatMap(([version, [file]]) =>
        file?.yanked === false ? [[version, file.upload_time_iso_8601] as const] : [],
      ),
  },
  /** The page of a folder has the times that `maven-metadata.xml` lacks. */
  maven: {
    type: 'text/html',
    read: (body) => Array.from(body.toString().matchAll(folderLine), ([, version, time]) => [version!, time!] as const),
  },
}

const folderLine = /<a href="([^"/]{1,100})\/"[^<]{0,200}<\/a>\s{1,200}(\d{4}-\d\d-\d\d \d\d:\d\d)/g

/** Releases by the versions of a package in a registry. The cursor is their hash. */
export function createPackageCollector(kind: PackageSource): Collector {
  const { type, read } = readers[kind]
  return {
    async collect(source: Source, state: SourceState, context: CollectContext): Promise<CollectOutcome> {
      const { url, credential } = source
      const isFirst = context.since !== undefined
      const answer = await context.http.ask({
        url,
        types: [type],
        maxBytes,
        state: isFirst ? {} : state,
        secretHeaders: authorization(credential?.secret, credential?.username),
      })
      if (answer.kind === 'unchanged') return { kind: 'unchanged', state }
      if (answer.kind !== 'ok') return toFailure(answer)
      const found = read(answer.body).map(([tag, time]) => ({ tag, time: parseTimestamp(time), url: '' }))
      // The pattern is one of tags.
      const releases = plainReleases(createTagReader({ ...source, tagPattern: null }), found, context)
      if (releases.length === 0)
        return { kind: 'unreachable', reason: `${new URL(url).host} answered without versions` }
      const next = { ...answer.state, cursor: shortHash(releases) }
      if (!isFirst && next.cursor === state.cursor) return { kind: 'unchanged', state: next }
      return { kind: 'changed', isWhole: true, releases, state: next }
    },
  }
}
