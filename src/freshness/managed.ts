import { type ImageRef, repositoryFor } from './image-ref.ts'
import type { ManagedRepository } from './managed-facts.ts'
import { upstreamRepositories } from './mirror.ts'
import { PerCatalog } from './per-catalog.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import type { Version } from './versions.ts'

const repositories = new PerCatalog<ManagedRepository | undefined>()

export function findManaged(repository: string, known: CatalogFacts) {
  return repositories.find(known, repository, () => known.managed?.find(repository))
}

const images = new PerCatalog<ManagedRepository | undefined>()

/** Looks up the image's repository, or that of the image that it copies. */
export function findManagedImage(ref: ImageRef, known: CatalogFacts) {
  const own = repositoryFor(ref)
  return images.find(known, own, () => {
    const managed = findManaged(own, known)
    return (
      managed ??
      upstreamRepositories(ref)
        .values()
        .map((upstream) => findManaged(upstream, known))
        .find(Boolean)
    )
  })
}

/** `v0.6.19-gke-v0.2.5` has two versions; `v1_20200514` and `v20231226` have none of the project. */
const otherNumbers = /\d-(?:[a-z]+-)?v\d+\.\d|^v?\d+(?:_|$)|^v?\d{8}(?!\d)/

/** The project's version in a vendor's tag; undefined if it has another one. */
export function vendorVersion(version: Version, managed: ManagedRepository) {
  if (!managed.hasVersions) return undefined
  if (managed.vendor === undefined) return version
  if (otherNumbers.test(version.text)) return undefined
  if (Number(version.segments[0]) < managed.versionsFrom) return undefined
  const isRebuild = managed.isFourthNumberRebuild && version.segments.length === 4 && !version.isDate
  const core = isRebuild ? version.core.slice(0, version.core.lastIndexOf('.')) : version.core
  return {
    ...version,
    lead: '',
    core,
    segments: isRebuild ? version.segments.slice(0, 3) : version.segments,
    revision: [],
  }
}

/** The version without a vendor's additions: `1.33.6`, `2.0.0-rc3`. */
export function upstreamText({ bare, core }: Version) {
  return /^[\d.]+-?(?:alpha|beta|rc)[.-]?\d*/i.exec(bare)?.[0] ?? bare.slice(0, core.length)
}
