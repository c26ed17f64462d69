import { isGenericImage, lastSegment, withoutMachine } from './image-names.ts'
import type { ManagedFacts, ManagedRepository } from './managed-facts.ts'

/** Schema of `managed.json`. In patterns, `*` matches any text without `/`, and any text at the end. */
export interface ManagedData {
  offerings: Record<string, { namespaces?: string[]; charts?: string[]; advice?: string }>
  places: Place[]
}

/** Page on which a vendor lists the components of its offerings. */
interface Place {
  vendor?: string
  /** Runs everything that is not in `runBy` and `exclusive`. */
  offering?: string
  /** Prefixes of its repositories, with their replacements: paths in all lists below lack them. */
  at: Record<string, string>
  /** Slug → paths. */
  projects: Record<string, string[]>
  /** Slug → paths of components of the vendor itself that are also projects. */
  ownProjects?: Record<string, string[]>
  /** Patterns of components of the vendor itself. */
  own?: string[]
  /** Components that users run as well: the offering runs those in its namespaces. */
  ownInItsNamespaces?: string[]
  /** Images that are neither listed nor copies of a known project's image are components of the vendor itself. */
  othersAreOwn?: boolean
  /** Offering → patterns of images that only it runs. */
  exclusive?: Record<string, string[]>
  /** Patterns of images that have the name of the image that they copy, maybe with one of `namePrefixes`. */
  copies?: string[]
  namePrefixes?: string[]
  /** Comma-separated offering ids, or `nobody` → paths. */
  runBy?: Record<string, string[]>
  /** Paths of images whose tags do not contain the project's version. */
  otherVersions?: string[]
  noVersions?: boolean
  /** Its images are for anyone, and some of their tags do not contain the project's version. */
  rebuilds?: boolean
  versionsFrom?: Record<string, number>
  fourthNumberIsRebuild?: boolean
  forks?: string[]
}

export function readManagedFacts({ offerings, places }: ManagedData): ManagedFacts {
  const rows = Object.entries(offerings)
  const names = toNames(places)
  const readers = places.map((place) => readPlace(place, names))
  return {
    offerings: new Map(
      rows.map(([id, { namespaces, charts, advice }]) => [
        id,
        { hasNamespace: matcher(namespaces ?? ['kube-system']), hasChart: matcher(charts), advice },
      ]),
    ),
    find(repository) {
      for (const read of readers) {
        const found = read(repository)
        if (found) return found
      }
      return undefined
    },
  }
}

type Names = (name: string) => string | undefined

function readPlace(place: Place, slugOfName: Names): (repository: string) => ManagedRepository | undefined {
  const beginnings = Object.entries(place.at).map(([begin, by]) => ({
    literal: begin.split('*')[0] ?? '',
    pattern: toPattern(begin, ''),
    by,
  }))
  const slugs = keyByPath(place.projects)
  const ownSlugs = keyByPath(place.ownProjects)
  const runBy = keyByPath(place.runBy)
  const isOwn = matcher(place.own)
  const isCopy = matcher(place.copies)
  const exclusive = Object.entries(place.exclusive ?? {}).map(([id, patterns]) => ({ id, covers: matcher(patterns) }))
  return (repository) => {
    const begin = beginnings.find(({ literal, pattern }) => repository.startsWith(literal) && pattern.test(repository))
    if (!begin) return undefined
    const path = begin.by + repository.replace(begin.pattern, '')
    const listed = slugs.get(path) ?? ownSlugs.get(path)
    const isOther = place.othersAreOwn === true && slugOfName(copiedName(path, place)) === undefined
    const isOwnPath = ownSlugs.has(path) || (listed === undefined && (isOwn(path) || isOther))
    const name = listed === undefined && !isOwnPath && isCopy(path) ? copiedName(path, place) : undefined
    const runners = runBy.get(path)
    const only = runners === 'nobody' ? undefined : exclusive.find(({ covers }) => covers(path))?.id
    const isShared = place.ownInItsNamespaces?.includes(path) ?? false
    if (listed === undefined && name === undefined && only === undefined && !isOwnPath && !isShared) return undefined
    return {
      vendor: place.vendor,
      isRebuild: place.rebuilds ?? false,
      slug: listed ?? (name === undefined ? undefined : slugOfName(name)),
      name,
      offerings: runners === 'nobody' ? [] : ((runners ?? only ?? place.offering)?.split(',') ?? []),
      isOwn: isOwnPath || isShared,
      isExclusive: only !== undefined || isOwnPath,
      hasVersions: !place.noVersions && !place.otherVersions?.includes(path),
      versionsFrom: place.versionsFrom?.[path] ?? 0,
      isFourthNumberRebuild: place.fourthNumberIsRebuild ?? false,
      forks: place.forks ?? [],
    }
  }
}

/** Projects by the names of all listed images. Omits ambiguous names. */
function toNames(places: Place[]): Names {
  const slugs = new Map<string, string | undefined>()
  for (const place of places.filter(({ noVersions }) => !noVersions)) {
    for (const [slug, paths] of Object.entries(place.projects)) {
      for (const path of paths) {
        const name = copiedName(path, place)
        slugs.set(name, (slugs.get(name) ?? slug) === slug ? slug : undefined)
      }
    }
  }
  return (name) => (isGenericImage(name) ? undefined : slugs.get(name))
}

/** `oss/kubernetes/kube-proxy-amd64` → `kube-proxy` */
function copiedName(path: string, { namePrefixes = [] }: Place) {
  const name = lastSegment(withoutMachine(path))
  return name.slice(namePrefixes.find((prefix) => name.startsWith(prefix))?.length ?? 0)
}

function keyByPath(lists: Record<string, string[]> = {}) {
  return new Map(Object.entries(lists).flatMap(([key, paths]) => paths.map((path) => [path, key])))
}

function matcher(patterns: readonly string[] = []): (text: string) => boolean {
  const exact = new Set(patterns)
  const globs = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => toPattern(pattern, '$'))
  return (text) => exact.has(text) || globs.some((glob) => glob.test(text))
}

function toPattern(text: string, end: '' | '$') {
  const parts = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const last = text.endsWith('*') ? '.*' : ''
  return new RegExp(`^${parts.slice(0, last ? -1 : undefined).join('[^/]*')}${last}${end}`)
}
