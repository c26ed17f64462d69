import type { FoundRelease } from '../catalog/found-release.ts'
import { isWebAddress } from '../contract/shape.ts'
import { securityIn } from './security-ids.ts'
import type { TagReader } from './tag-reader.ts'

interface FoundTag {
  tag: string
  /** Unix seconds. */
  publishedAt: number
  url: string
  notes?: string | null | undefined
  isPrerelease?: boolean
  isRough?: true
}

const maxNotes = 500_000

/** Undefined for a tag that is not a release of the application. */
export function foundRelease(readTag: TagReader, found: FoundTag): FoundRelease[] {
  const { tag, publishedAt, url, isPrerelease, isRough } = found
  const read = readTag(tag)
  if (!read) return []
  const notes = found.notes && found.notes.length <= maxNotes ? found.notes : ''
  return [
    {
      type: isPrerelease || read.isPrerelease ? 'pre' : 'app',
      chartName: '',
      version: tag,
      appVersion: null,
      publishedAt,
      url: isWebAddress(url) ? url : '',
      notes,
      security: securityIn(notes),
      ...(isRough && { isRough }),
    },
  ]
}

/** Projects can have hundreds, and few are of interest later. */
const mostPrereleases = 10

/**
 * Releases of which only the name and the time are known, newest first, with the newest pre-releases; since a day, all from
 * then on.
 */
export function plainReleases(
  readTag: TagReader,
  found: { tag: string; time: number | undefined; url: string }[],
  { now, since }: { now: () => number; since?: number | undefined },
): FoundRelease[] {
  let prereleases = 0
  return found
    .flatMap(({ time, ...tag }) =>
      // No release is of the future.
      time === undefined ? [] : foundRelease(readTag, { ...tag, publishedAt: Math.min(time, now()), isRough: true }),
    )
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
    .filter(({ type, publishedAt }) => {
      if (since !== undefined) return publishedAt >= since
      return type !== 'pre' || ++prereleases <= mostPrereleases
    })
}
