import type { FoundRelease } from '../../catalog/found-release.ts'
import { isWebAddress } from '../../contract/shape.ts'
import { securityIn } from '../security-ids.ts'
import type { TagReader } from '../tag-reader.ts'

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
