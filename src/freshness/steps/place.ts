import type { RepositoryFact } from '../../contract/state-facts.ts'
import { firstDay } from '../facts/day.ts'
import { type ImageRef, parseImageRef, repositoryFor } from '../image-ref.ts'
import { sourceRepositories, upstreamRepositories } from '../mirror.ts'
import { PerCatalog } from '../per-catalog.ts'
import type { CatalogFacts } from '../prepare-catalog.ts'
import type { DatedRelease } from '../releases.ts'
import type { AssessmentSubject } from '../subject.ts'
import { compareNumbers, parseVersion, type Version } from '../versions.ts'

/** The location of an artifact's next versions. */
export interface StepPlace {
  /** Facts about the running location and those that it moved to. */
  facts: RepositoryFact[]
  /** No known location gets new versions. */
  isClosed: boolean
  /** Repositories that the artifact may be pulled from or be a copy of, its own first; empty unless it is an image. */
  repositories: string[]
  /** The repository of a step's image; undefined unless it is an image. */
  repository: string | undefined
  /** URL of a chart's repository. */
  chart: string | undefined
  /** The new location lacks versions older than this. */
  movedFrom?: { version: Version; fact: RepositoryFact } | undefined
}

export function placeFor(subject: AssessmentSubject, known: CatalogFacts): StepPlace {
  const nowhere = { facts: [], isClosed: false, repositories: [], repository: undefined, chart: undefined }
  if (subject.type === 'image') {
    const ref = parseImageRef(subject.key)
    if (!ref) return nowhere
    const own = repositoryFor(ref)
    return ofProject(
      places.find(known, own, () => findPlace(ref, own, known)),
      subject,
    )
  }
  const address = subject.match.project?.helmChartRepo
  if (subject.type !== 'helm_chart' || !subject.chart) return nowhere
  if (!address) return { ...nowhere, chart: subject.chart }
  const place = known.facts.repositories.placeFor(address, known.today, subject.chart)
  const moved = place.facts.length > 0 && place.address !== undefined && place.address !== address
  return {
    ...nowhere,
    facts: place.facts,
    isClosed: place.address === undefined,
    chart: moved ? `${place.address}/${subject.chart}` : subject.chart,
  }
}

/** Everything below a moved place has moved, but the project need not publish all of it there. */
function ofProject(place: StepPlace, { match: { project } }: AssessmentSubject) {
  const { facts, repository } = place
  if (repository === undefined || facts.length === 0 || project?.imageRepositories.includes(repository)) return place
  // Not if the repository has not moved, or if a fact names its new location exactly.
  const isMovedBelow = repository !== place.repositories[0] && facts.every(({ moved_to }) => moved_to !== repository)
  return isMovedBelow ? { ...place, repository: undefined } : place
}

/** By repository, because one runs with many tags. */
const places = new PerCatalog<StepPlace>()

function findPlace(ref: ImageRef, own: string, { facts, today }: CatalogFacts): StepPlace {
  const repositories = [own, ...upstreamRepositories(ref)]
  for (const source of sourceRepositories(ref)) {
    const place = facts.repositories.placeFor(source, today)
    if (place.facts.length === 0) continue
    const repository = place.address === source ? own : place.address
    const movedFrom = toMovedFrom(place.facts)
    const isClosed = place.address === undefined
    return { facts: place.facts, isClosed, repositories, repository, chart: undefined, movedFrom }
  }
  const repository = partialCopies.test(own) ? undefined : own
  return { facts: [], isClosed: false, repositories, repository, chart: undefined }
}

/** Locations with some releases only: a step there is a version, because the image may not exist. */
const partialCopies =
  /^(?:docker\.io\/(?:kindest\/node$|rancher\/(?:mirrored|hardened)-)|mcr\.microsoft\.com\/(?:oss|mirror)\/)/

function toMovedFrom(facts: readonly RepositoryFact[]): StepPlace['movedFrom'] {
  const fact = facts.findLast(({ from }) => from !== undefined)
  // A whole number alone is not parsed as a version.
  const version = fact && parseVersion(`${fact.from}.0`)
  return version && { version, fact }
}

/** The repository with the image of a release; undefined if no known location has it. */
export function repositoryOfStep(
  { repository, repositories, movedFrom }: StepPlace,
  { version, publishedAt }: DatedRelease,
) {
  if (!movedFrom || compareNumbers(version.segments, movedFrom.version.segments) >= 0) return repository
  const { state, since } = movedFrom.fact
  const isOld = since !== undefined && publishedAt < Date.parse(firstDay(since)) / 1000
  return isOld && state !== 'closed' ? repositories[0] : undefined
}

/** The tag of a release in the format of the running tag; undefined if that has more than a version and a variant. */
export function tagLike(running: Version, version: string) {
  const { isTag, text, prefix, core, variant, revision, prerelease } = running
  const isPlain = text.toLowerCase() === (prefix + core).toLowerCase()
  if (!isTag || revision.length > 0 || !text.startsWith(prefix)) return undefined
  if (variant !== '') return `${version}-${variant}`
  return isPlain || prerelease.length > 0 ? version : undefined
}
