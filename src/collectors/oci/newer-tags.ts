import { assess } from '../../freshness/assess.ts'
import type { StateFacts } from '../../freshness/facts/state-facts.ts'
import { type ImageRef, normalised, parseImageRef, repositoryFor } from '../../freshness/image-ref.ts'
import { noMatch } from '../../freshness/match.ts'
import { newestFirst } from '../../freshness/newest-release.ts'
import { prepareCatalog } from '../../freshness/prepare-catalog.ts'
import { type ReleaseList, toReleaseList } from '../../freshness/releases.ts'
import { toSteps } from '../../freshness/steps/to-steps.ts'
import { parseVersion, type Version } from '../../freshness/versions.ts'
import { formatDay } from '../../util/time.ts'
import { type LookupCache, withLookupCache } from './lookup-cache.ts'
import { readDigest } from './manifest.ts'
import { answerIn, type Registries } from './registry.ts'
import { listTags } from './tags.ts'

export interface LookupContext {
  registries: Registries
  cache: LookupCache
  /** Unix seconds. */
  now: () => number
  /** Facts about faulty tags, which are not suggested. */
  facts: StateFacts
}

export type NewerTags = Awaited<ReturnType<typeof findNewerTags>>

/** Queries the registry of an image for newer tags of the same family. Throws only when aborted. */
export async function findNewerTags(reference: string, means: LookupContext) {
  const ref = parseImageRef(reference)
  if (!ref) return unknown('this is not an image reference')
  return lookUp(ref, means).catch((error: unknown) => {
    const answer = answerIn(error)
    const reason = 'reason' in answer ? answer.reason : 'the registry asks to wait'
    return answer.kind === 'absent' ? unknown(reason) : { kind: 'unreachable' as const, reason }
  })
}

/** The registry answered, but the result is inconclusive. */
const unknown = (reason: string) => ({ kind: 'unknown' as const, reason })

async function lookUp(ref: ImageRef, means: LookupContext) {
  const tags = await tagsFor(ref, means)
  const versions = tags.flatMap((tag) => {
    const version = parseVersion(tag)
    return version ? [{ ...version, isTag: true }] : []
  })
  const list = toList(versions, ref, means)
  const own = parseVersion(ref.tag ?? '')
  const current = own ?? (await runningVersion(ref, list, means))
  if (typeof current === 'string') return unknown(current)
  const assessed = assessTag(ref, { list, current: { ...current, isTag: true } }, means)
  const { verdict, states } = assessed
  if (verdict.status === 'unknown') return unknown(verdict.evidence)
  // The running image may be an earlier state of the tag.
  const sureness = own === undefined && ref.digest === null ? 0.6 : 1
  const newer = verdict.newer.map(({ version }) => version.text)
  return {
    kind: 'found' as const,
    status: verdict.status,
    mode: verdict.mode,
    /** The running version tag: the reference's own, or the one that `latest` or the digest resolves to. */
    current: current.text,
    isResolved: own === undefined,
    /** Newest tag of the same family; the running one if none is newer. */
    latest: (verdict.mode === 'line' ? verdict.latest : newer[0]) ?? current.text,
    steps: toSteps(assessed),
    reasons: states.reasons,
    /** Newer tags, newest first. */
    newer,
    /** Confidence of the result, 0 to 1. */
    confidence: verdict.confidence * sureness,
    evidence: verdict.evidence,
  }
}

/** Assesses the tags of a registry as if they were the releases of a project. */
function assessTag(
  ref: ImageRef,
  { list, current }: { list: ReleaseList; current: Version },
  { facts, now }: LookupContext,
) {
  const date = formatDay(now())
  const view = {
    date,
    projects: [],
    releasesFor: () => [],
    advisoriesFor: () => undefined,
    endOfLifeFor: () => undefined,
  }
  const subject = {
    type: 'image' as const,
    key: normalised(ref),
    name: '',
    shortName: '',
    source: 'artifacts' as const,
    places: [],
    match: noMatch(''),
    releases: { of: repositoryFor(ref), list },
    currentVersion: current.text,
    current,
    unreadable: '',
  }
  return assess(subject, prepareCatalog({ ...view, facts }, now()))
}

/** A registry states neither times nor severities. */
function toList(versions: readonly Version[], ref: ImageRef, { facts, now }: LookupContext): ReleaseList {
  const findFault = facts.faultsOfImage(repositoryFor(ref))
  const releases = versions.map((version, id) => ({
    id,
    version,
    isStable: version.prerelease.length === 0,
    publishedAt: 0,
    hasSecurityFix: false,
    severity: 'none' as const,
    fault: findFault?.(version.text, version),
  }))
  // A registry lists all of its tags, without days.
  return toReleaseList(newestFirst(releases), { completeSince: 0, knownUntil: formatDay(now()) })
}

/** Maximum tags whose digests are requested, a few in parallel. */
const mostAsked = 24
const atOnce = 6

/**
 * Finds the version of a digest, or of a tag without a version such as `latest`: the first of the newest tags with the same
 * image. A text is the reason why it is unknown.
 */
async function runningVersion(ref: ImageRef, { all }: ReleaseList, means: LookupContext) {
  const named = ref.tag ?? 'latest'
  const digest = ref.digest ?? (await digestFor(ref, named, means))
  if (digest === undefined) return `the registry has no tag ${named}`
  // `alpine` is more likely `1.27.3-alpine` than `1.27.3`.
  const variant = named === 'latest' ? '' : named
  const candidates = all
    .map(({ version }) => version)
    .toSorted((a, b) => Number(a.variant !== variant) - Number(b.variant !== variant))
    .slice(0, mostAsked)
  for (let from = 0; from < candidates.length; from += atOnce) {
    const some = candidates.slice(from, from + atOnce)
    const digests = await Promise.all(some.map(({ text }) => digestFor(ref, text, means)))
    const found = some[digests.indexOf(digest)]
    if (found) return found
  }
  return `none of its newest versions is the image ${ref.digest === null ? `that ${named} is now` : 'with this digest'}`
}

function tagsFor(ref: ImageRef, means: LookupContext) {
  const find = async () => (await listTags(clientFor(ref, means))).tags
  return withLookupCache(means, `tags ${repositoryFor(ref)}`, find)
}

/** Undefined for an unknown tag. */
async function digestFor(ref: ImageRef, tag: string, means: LookupContext) {
  const find = () =>
    readDigest(clientFor(ref, means), tag).then(
      (digest) => [digest],
      (error: unknown) => {
        if (answerIn(error).kind === 'absent') return []
        throw error
      },
    )
  return (await withLookupCache(means, `digest ${repositoryFor(ref)}:${tag}`, find))[0]
}

const clientFor = ({ registry, repository }: ImageRef, { registries }: LookupContext) =>
  registries.in({ host: registry, name: repository })
