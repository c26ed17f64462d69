import type { FoundRelease } from '../../catalog/found-release.ts'
import type { CollectContext, Source } from '../collector.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { findApp, findChart } from './find-release.ts'
import type { RepositoryClient } from './registry.ts'
import { type Cursor, SeenTags } from './seen-tags.ts'
import { appVersions, chartVersions } from './tag-choice.ts'
import { listTags } from './tags.ts'

export type RepositoryResult =
  | { kind: 'ok'; releases: FoundRelease[]; kept: Cursor[string] }
  | Exclude<HttpAnswer, { kind: 'ok' }>

/** Maximum versions read by the first sync, and by later ones. */
const first = 30
const most = 200

/** Versions that were not seen before. `chartName` is empty for an image. */
export async function collectRepository(
  repository: RepositoryClient,
  { chartName, kept }: { chartName: string; kept: Cursor[string] | undefined },
  { source, context }: { source: Source; context: CollectContext },
): Promise<RepositoryResult> {
  const rules = `${chartName} ${source.tagPattern ?? ''}`
  const known = kept?.rules === rules && context.since === undefined ? kept : undefined
  const listed = await listTags(repository, known?.etag)
  if (listed.kind === 'unchanged' && known) return { kind: 'ok', releases: [], kept: known }

  if (listed.kind !== 'ok') return listed
  const versions = chartName === '' ? appVersions(listed.tags, source) : chartVersions(listed.tags)
  const seen = new SeenTags(known?.seen)
  const fresh = versions.filter(({ tag }) => !seen.has(tag))
  const wanted = fresh.slice(0, known || context.since !== undefined ? most : first)
  const find = chartName === '' ? findApp : findChart
  const found = await Promise.all(
    wanted.map(async (version) => ({
      tag: version.tag,
      result: await find(repository, { ...version, chartName }, context.now()),
    })),
  )
  const { releases, failed, failure } = sortOut(found)
  if (failure && releases.length === 0) return failure
  const { since = 0 } = context
  const marks = versions.map(({ tag }) => tag).filter((tag) => !failed.has(tag))
  // If tags must be retried, "not modified" would hide them.
  const etag = failed.size === 0 ? listed.etag : undefined
  return {
    kind: 'ok',
    releases: releases.filter(({ publishedAt }) => publishedAt >= since),
    kept: { seen: SeenTags.of(marks), rules, ...(etag !== undefined && { etag }) },
  }
}

/** `failed`: tags without an answer. The last failure represents all. */
function sortOut(found: { tag: string; result: Awaited<ReturnType<typeof findApp>> }[]) {
  const failed = new Set<string>()
  const releases: FoundRelease[] = []
  let failure: Exclude<RepositoryResult, { kind: 'ok' }> | undefined
  for (const { tag, result } of found) {
    if (result.kind === 'ok') releases.push(...result.value)
    else if (result.kind !== 'absent') {
      failed.add(tag)
      failure = result
    }
  }
  return { releases, failed, failure }
}
