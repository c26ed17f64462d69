import { codeNamed } from '../lifecycle/code-names.ts'
import type { KnownProject } from './catalog-view.ts'
import { lastSegment, ownerAndName, withoutMachine } from './image-names.ts'
import { type ImageRef, repositoryFor } from './image-ref.ts'
import { findManaged, findManagedImage, vendorVersion } from './managed.ts'
import type { ManagedRepository } from './managed-facts.ts'
import { type Match, noMatch, taken } from './match.ts'
import { matchName } from './match-name.ts'
import { isPublicRegistry, upstreamRepositories } from './mirror.ts'
import { isInLine } from './newer-releases.ts'
import { PerCatalog } from './per-catalog.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import type { ReleaseList } from './releases.ts'
import { compareStages, parseVersion, type Version } from './versions.ts'

interface MatchEvidence {
  by: 'repository' | 'mirror'
  projects: KnownProject[]
  /** Confidence in the matched project, 0 to 1. */
  confidence: number
  /** Text after the repository in the reason. */
  says: string
  /** Words in tags that are built from another branch than the project's releases. */
  forks?: readonly string[]
}

/** Matches by repository, else by a repository that it may be a copy of, else by its name if nothing contradicts. */
export function matchImage(ref: ImageRef, known: CatalogFacts) {
  const repository = repositoryFor(ref)
  const { evidence, unmatched, copied, namesakes } = findRepository(ref, repository, known)
  if (evidence) return choose(evidence, ref, known)
  if (unmatched) return unmatched
  return matchName({
    projects: namesakes,
    versionFor: (project) => tagVersion(ref, project, known),
    // Public registries have owners: another owner's image with the same name is that owner's build.
    refusal:
      copied === undefined && isPublicRegistry(ref.registry)
        ? `on ${ref.registry} it belongs to another owner`
        : undefined,
    subject: 'The image',
    nobody: nobodyPublishes(repository),
    book: known.book,
  })
}

const nobodyPublishes = (repository: string) => `No catalog project publishes ${repository}`

/**
 * The running version. A word before the number that also occurs in the project's releases is an image variant, not a line.
 */
export function runningVersion(ref: ImageRef, project: KnownProject, known: CatalogFacts) {
  const version = tagVersion(ref, project, known)
  return version && isKindOf(known.book.app(project), version) ? { ...version, lead: '' } : version
}

/** Two numbers without a `v` may be the version of a runtime or base system: `scala_2.12`, `alpine-3.20`. */
function isKindOf({ all }: ReleaseList, current: Version) {
  const { lead, prefix, segments } = current
  if (lead === '' || (segments.length < 3 && !prefix.endsWith('v'))) return false
  if (all.some(({ version }) => version.lead === lead)) return false
  return all.some(({ version }) => version.lead === '' && isInLine(version, current, segments.length))
}

/** The version in an image's tag, parsed like the project's tags. */
function tagVersion(ref: ImageRef, project: KnownProject, known: CatalogFacts) {
  const named = ref.tag === null ? undefined : codeNamed(project.slug, ref.tag)
  if (named !== undefined) return { ...parseVersion(named)!, text: ref.tag!, isTag: true }
  const version = ref.tag === null ? undefined : parseVersion(ref.tag, known.book.tagPattern(project))
  if (!version) return undefined
  const ownNames = [project.slug, lastSegment(ref.repository)]
  const tagged = { ...version, isTag: true, lead: ownNames.includes(version.lead) ? '' : version.lead }
  const managed = findManagedImage(ref, known)
  if (!managed) return tagged
  const upstream = vendorVersion(tagged, managed)
  // A rebuild may count in its own way: only what can be a release of the project is its version.
  return managed.isRebuild && rankFor(upstream, known.book.app(project)) === 0 ? undefined : upstream
}

/** Matching projects of a repository, for any tag. */
interface RepositoryMatch {
  evidence: MatchEvidence | undefined
  /** The match for every tag, if no project fits. */
  unmatched: Match | undefined
  /** Name of the image that a vendor copies. */
  copied: string | undefined
  /** Projects with that name. */
  namesakes: KnownProject[]
}

const repositories = new PerCatalog<RepositoryMatch>()

/** Cached, because one repository runs with many tags and in many clusters. */
function findRepository(ref: ImageRef, repository: string, known: CatalogFacts) {
  return repositories.find(known, repository, () => {
    const evidence = evidenceFor(ref, known).next().value
    if (evidence) return { evidence, unmatched: undefined, copied: undefined, namesakes: [] }
    const managed = findManagedImage(ref, known)
    const copied = managed?.name
    const namesakes = known.index.byName(copied ?? lastSegment(withoutMachine(repository)))
    const own = managed?.isOwn ? noMatch(`${repository} is an image of ${managed.vendor}`) : undefined
    const unmatched = own ?? (namesakes.length === 0 ? noMatch(nobodyPublishes(repository)) : undefined)
    return { evidence, unmatched, copied, namesakes }
  })
}

/** Evidence for projects, strongest first. */
function* evidenceFor(ref: ImageRef, known: CatalogFacts): Generator<MatchEvidence, undefined> {
  const { index } = known
  const repository = repositoryFor(ref)
  const exact = index.byRepository(repository)
  const confidence = exact.length > 1 ? 0.85 : 0.98
  if (exact.length > 0) yield { by: 'repository', projects: exact, confidence, says: 'is a repository of' }
  const managed = toEvidence(findManaged(repository, known), index)
  if (managed) yield { ...managed, by: 'repository' }
  for (const upstream of upstreamRepositories(ref)) {
    const projects = index.byRepository(upstream)
    const says = `looks like a copy of ${upstream}, a repository of`
    if (projects.length > 0) yield { by: 'mirror', projects, confidence: 0.85, says }
  }
  const copied = toEvidence(findManagedImage(ref, known), index)
  if (copied) yield { ...copied, by: 'mirror', confidence: Math.min(copied.confidence, 0.85) }
  const path = ownerAndName(repository)
  const projects = isPublicRegistry(ref.registry) || path === undefined ? [] : index.byOwnerAndName(path)
  if (projects.length > 0) yield { by: 'mirror', projects, confidence: 0.6, says: 'ends like a repository of' }
  return undefined
}

function toEvidence(
  managed: ManagedRepository | undefined,
  index: CatalogFacts['index'],
): Omit<MatchEvidence, 'by'> | undefined {
  const projects = managed?.slug === undefined ? [] : index.bySlug(managed.slug)
  if (!managed || projects.length === 0) return undefined
  const says = `is ${managed.vendor === undefined ? 'an image' : `${managed.vendor}'s build`} of`
  return { projects, confidence: managed.name === undefined ? 0.95 : 0.8, says, forks: managed.forks }
}

function choose(
  { by, projects, confidence: sureness, says, forks = [] }: MatchEvidence,
  ref: ImageRef,
  known: CatalogFacts,
) {
  const isFork = forks.some((word) => ref.tag?.split(/[^a-z]+/).includes(word))
  const confidence = isFork ? Math.min(sureness, 0.6) : sureness
  const best = bestFit(projects, ref, known)
  const otherwise = `, but the tag fits another project ${best ? 'better' : 'as well'}`
  const claims = projects.map((project) => {
    const reason = `${repositoryFor(ref)} ${says} ${project.name}${project === best ? '' : otherwise}`
    return { project, confidence, reason }
  })
  const claim = claims.find(({ project }) => project === best)
  if (claim) return taken(claim, claims, by)
  return noMatch(`${repositoryFor(ref)} is shared by ${projects.map(({ name }) => name).join(' and ')}`, claims, by)
}

/** The project whose releases fit the tag best; undefined if ambiguous. */
function bestFit(projects: KnownProject[], ref: ImageRef, known: CatalogFacts) {
  if (projects.length === 1) return projects[0]
  const [best, second] = projects
    .map((project) => ({ project, rank: rankFor(tagVersion(ref, project, known), known.book.app(project)) }))
    .sort((a, b) => b.rank - a.rank)
  return best && best.rank > (second?.rank ?? 0) ? best.project : undefined
}

/** 2: such a release exists; 1: some release starts with the same number; 0: neither. */
function rankFor(version: Version | undefined, { all }: ReleaseList) {
  if (!version) return 0
  if (all.some((release) => compareStages(release.version, version) === 0)) return 2
  return all.some((release) => release.version.segments[0] === version.segments[0]) ? 1 : 0
}
