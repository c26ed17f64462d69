import type { FreshnessStatus } from '../../contract/freshness.ts'
import type { StateReason, Steps } from '../../contract/step.ts'
import { assess } from '../../freshness/assess.ts'
import type { StateFacts } from '../../freshness/facts/state-facts.ts'
import { type ImageRef, normalised, parseImageRef, repositoryFor } from '../../freshness/image-ref.ts'
import { noMatch } from '../../freshness/match.ts'
import { mainFamily, newestFirst } from '../../freshness/newest-release.ts'
import { prepareCatalog } from '../../freshness/prepare-catalog.ts'
import type { ReleaseList } from '../../freshness/releases.ts'
import { toSteps } from '../../freshness/steps/to-steps.ts'
import { parseVersion, type Version } from '../../freshness/versions.ts'
import { formatDay } from '../../util/time.ts'
import { type LookupCache, withLookupCache } from './lookup-cache.ts'
import { readDigest } from './manifest.ts'
import type { Registries } from './registry.ts'
import { listTags } from './tags.ts'

export interface LookupContext {
  registries: Registries
  cache: LookupCache
  /** Unix seconds. */
  now: () => number
  /** Facts about faulty tags, which are not suggested. */
  facts: StateFacts
}

export type NewerTags =
  | {
      kind: 'found'
      status: FreshnessStatus
      mode: 'exact' | 'line' | 'none'
      /** The running version tag: the reference's own, or the one that `latest` or the digest resolves to. */
      current: string
      isResolved: boolean
      /** Newest tag of the same family; the running one if none is newer. */
      latest: string
      steps: Steps
      reasons: StateReason[]
      /** Newer tags, newest first. */
      newer: string[]
      /** Confidence of the result, 0 to 1. */
      confidence: number
      evidence: string
    }
  /** The registry answered, but the result is inconclusive. */
  | { kind: 'unknown'; reason: string }
  | { kind: 'unreachable'; reason: string }

/** Queries the registry of an image for newer tags of the same family. Throws only when aborted. */
export async function findNewerTags(reference: string, means: LookupContext): Promise<NewerTags> {
  const ref = parseImageRef(reference)
  if (!ref) return { kind: 'unknown', reason: 'this is not an image reference' }
  try {
    return await lookUp(ref, means)
  } catch (error) {
    if (error instanceof Failed) return error.outcome
    throw error
  }
}

class Failed extends Error {
  readonly outcome: Exclude<NewerTags, { kind: 'found' }>

  constructor(outcome: Failed['outcome']) {
    super(outcome.reason)
    this.outcome = outcome
  }
}

async function lookUp(ref: ImageRef, means: LookupContext): Promise<NewerTags> {
  const tags = await withLookupCache(means, `tags ${repositoryFor(ref)}`, () => tagsFor(ref, means))
  const versions = tags.flatMap((tag) => {
    const version = parseVersion(tag)
    return version ? [{ ...version, isTag: true }] : []
  })
  const list = toList(versions, repositoryFor(ref), means.facts)
  const own = parseVersion(ref.tag ?? '')
  const current =
    own ??
    (await runningVersion(
      ref,
      list.all.map(({ version }) => version),
      means,
    ))
  if (typeof current === 'string') return { kind: 'unknown', reason: current }
  const assessed = assessTag(ref, { list, current: { ...current, isTag: true } }, means)
  const { verdict, states } = assessed
  if (verdict.status === 'unknown') return { kind: 'unknown', reason: verdict.evidence }
  // The running image may be an earlier state of the tag.
  const sureness = own === undefined && ref.digest === null ? 0.6 : 1
  const newer = verdict.newer.map(({ version }) => version.text)
  return {
    kind: 'found',
    status: verdict.status,
    mode: verdict.mode,
    current: current.text,
    isResolved: own === undefined,
    latest: (verdict.mode === 'line' ? verdict.latest : newer[0]) ?? current.text,
    steps: toSteps(assessed),
    reasons: states.reasons,
    newer,
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
function toList(versions: readonly Version[], repository: string, facts: StateFacts): ReleaseList {
  const findFault = facts.faultsOfImage(repository)
  const releases = versions.map((version, id) => ({
    id,
    version,
    isStable: version.prerelease.length === 0,
    publishedAt: 0,
    hasSecurityFix: false,
    severity: 'none' as const,
    fault: findFault?.(version.text, version),
  }))
  const all = newestFirst(releases)
  const stable = all.filter(({ isStable, fault }) => isStable && !fault)
  // A registry lists all of its tags, without days.
  return { all, stable, newest: mainFamily(stable)[0], completeSince: 0 }
}

/**
 * Finds the version tag with the same image as a tag without a version or a digest. A text is the reason why it is unknown.
 */
async function runningVersion(ref: ImageRef, versions: readonly Version[], means: LookupContext) {
  const toDigest = async (tag: string) =>
    (await withLookupCache(means, `digest ${repositoryFor(ref)}:${tag}`, () => digestsFor(ref, tag, means)))[0]
  const named = ref.tag ?? 'latest'
  const digest = ref.digest ?? (await toDigest(named))
  if (digest === undefined) return `the registry has no tag ${named}`
  // `alpine` is more likely `1.27.3-alpine` than `1.27.3`.
  const variant = named === 'latest' ? '' : named
  const candidates = versions.toSorted((a, b) => Number(a.variant !== variant) - Number(b.variant !== variant))
  const found = await resolveTag(digest, candidates, toDigest)
  if (found) return found
  return `none of its newest versions is the image ${ref.digest === null ? `that ${named} is now` : 'with this digest'}`
}

/** Maximum tags whose digests are requested, a few in parallel. */
const mostAsked = 24
const atOnce = 6

/**
 * Finds the version of a digest or of a tag like `latest`: the first of the tags, newest first, with the same image.
 * Undefined if it is none of the newest. Throws errors of `toDigest`.
 */
async function resolveTag(
  digest: string,
  candidates: readonly Version[],
  toDigest: (tag: string) => Promise<string | undefined>,
) {
  for (let from = 0; from < Math.min(candidates.length, mostAsked); from += atOnce) {
    const some = candidates.slice(from, from + atOnce)
    const digests = await Promise.all(some.map(({ text }) => toDigest(text)))
    const found = some.find((_, index) => digests[index] === digest)
    if (found) return found
  }
  return undefined
}

async function tagsFor(ref: ImageRef, { registries }: LookupContext) {
  const listed = await listTags(registries.in({ host: ref.registry, name: ref.repository }))
  if (listed.kind !== 'ok') throw failed(listed)
  return listed.tags
}

async function digestsFor(ref: ImageRef, tag: string, { registries }: LookupContext) {
  const read = await readDigest(registries.in({ host: ref.registry, name: ref.repository }), tag)
  if (read.kind === 'absent') return []
  if (read.kind !== 'ok') throw failed(read)
  return [read.value]
}

function failed(answer: { kind: string; reason?: string }) {
  if (answer.kind === 'limited') return new Failed({ kind: 'unreachable', reason: 'the registry asks to wait' })
  const reason = answer.reason ?? 'the registry gave no answer'
  return new Failed({ kind: answer.kind === 'absent' ? 'unknown' : 'unreachable', reason })
}
