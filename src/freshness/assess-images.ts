import type { Artifacts, ImageArtifact } from '../reports/artifact.ts'
import { remember } from '../util/remember.ts'
import { assess } from './assess.ts'
import type { AssessedItem } from './assessed.ts'
import { familiar, type ImageRef, normalised, type ParsedNames, parseImageRef, repositoryFor } from './image-ref.ts'
import { findManagedImage, upstreamText } from './managed.ts'
import { noMatch } from './match.ts'
import { matchImage, runningVersion } from './match-image.ts'
import { PerCatalog } from './per-catalog.ts'
import type { CatalogFacts } from './prepare-catalog.ts'

export interface AssessedImage extends AssessedItem {
  repository: string
  artifacts: ImageArtifact[]
}

/** Length to which an invalid reference is truncated, enough to find it. */
const longestKey = 300

/** One for each distinct reference, after normalization. */
export function assessImages({ images, imageSource }: Artifacts, known: CatalogFacts): AssessedImage[] {
  const read = images.map((image) => ({ image, read: readImage(image.reference, known) }))
  return [...Map.groupBy(read, ({ read }) => read.key).values()].map((all) => {
    const { assessed, repository } = all[0]!.read
    const artifacts = all.map(({ image }) => image)
    return { ...assessed, source: imageSource, places: artifacts, repository, artifacts }
  })
}

interface ReadImage {
  key: string
  /** Empty for an invalid reference. */
  repository: string
  /** The verdict, independent of where it runs. */
  assessed: AssessedItem
}

const namesByCatalog = new WeakMap<CatalogFacts, ParsedNames>()
const imagesByReference = new PerCatalog<ReadImage>()

/** Cached, because one image runs in many clusters. */
function readImage(reference: string, known: CatalogFacts) {
  return imagesByReference.find(known, reference, () => {
    const names: ParsedNames = remember(namesByCatalog, known, () => new Map())
    const ref = parseImageRef(reference, names)
    const text = reference.slice(0, longestKey)
    const key = ref ? normalised(ref) : text
    const subject = {
      type: 'image' as const,
      key,
      name: ref ? familiar(ref) : text,
      shortName: ref ? familiar({ ...ref, tag: null, digest: ref.tag === null ? ref.digest : null }) : text,
      source: 'artifacts' as const,
      places: [],
      ...findProject(ref, known),
    }
    // Copied to a plain object, because it is copied again for each place, which is slow with a lazy property for steps.
    return { key, repository: ref ? repositoryFor(ref) : '', assessed: { ...assess(subject, known) } }
  })
}

function findProject(ref: ImageRef | undefined, known: CatalogFacts) {
  const unread = { current: undefined, releases: undefined, unreadable: '' }
  if (!ref) return { match: noMatch('This is not an image reference'), currentVersion: null, ...unread }
  const match = matchImage(ref, known)
  const tag = ref.tag ?? (ref.digest === null ? 'latest' : null)
  const { project } = match
  if (!project) return { match, currentVersion: tag, ...unread }
  const releases = { of: project.name, list: known.book.app(project) }
  const current = runningVersion(ref, project, known)
  const upstreamVersion = current && findManagedImage(ref, known) ? upstreamText(current) : undefined
  const unreadable = tag === null ? 'a digest alone states no version' : `the tag ${tag} states no version`
  return { match, currentVersion: tag, current, upstreamVersion, releases, unreadable }
}
