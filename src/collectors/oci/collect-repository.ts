import type { CollectContext, Source } from '../collector.ts'
import { findRelease } from './find-release.ts'
import { answerIn, RegistryFailure, type RepositoryClient } from './registry.ts'
import { type SeenTags, toMark } from './seen-tags.ts'
import { appVersions, chartVersions } from './tag-choice.ts'
import { listTags } from './tags.ts'

/** Maximum versions read by the first sync, and by later ones. */
const first = 30
const most = 200

interface RepositoryRequest {
  repository: RepositoryClient
  /** Empty for an image. */
  chartName: string
  kept: SeenTags | undefined
}

/** Versions that were not seen before. Throws `RegistryFailure`, also for an unchanged list of tags. */
export async function collectRepository(
  { repository, chartName, kept }: RepositoryRequest,
  source: Source,
  { since, now }: CollectContext,
) {
  const rules = `${chartName} ${source.tagPattern ?? ''}`
  const known = kept?.rules === rules && since === undefined ? kept : undefined
  const { tags, etag } = await listTags(repository, known?.etag)
  const versions = chartName === '' ? appVersions(tags, source) : chartVersions(tags)
  const seen = new Set(known?.seen)
  const fresh = versions.filter(({ tag }) => !seen.has(toMark(tag)))
  const failures = new Map<string, RegistryFailure['answer']>()
  const found = await Promise.all(
    fresh.slice(0, known || since !== undefined ? most : first).map((version) =>
      findRelease(repository, { ...version, chartName }, now()).catch((error: unknown) => {
        const answer = answerIn(error)
        if (answer.kind !== 'absent') failures.set(version.tag, answer)
        return undefined
      }),
    ),
  )
  const releases = found.filter((release) => release !== undefined)
  const failure = [...failures.values()].at(-1)
  if (failure && releases.length === 0) throw new RegistryFailure(failure)
  const marks = versions.flatMap(({ tag }) => (failures.has(tag) ? [] : toMark(tag)))
  return {
    releases: releases.filter(({ publishedAt }) => publishedAt >= (since ?? 0)),
    // If tags must be retried, "not modified" would hide them.
    kept: { seen: marks, rules, etag: failure ? undefined : etag },
  }
}
