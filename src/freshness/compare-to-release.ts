import { isLaterScheme, isNewer } from './newer-releases.ts'
import type { DatedRelease, ReleaseList } from './releases.ts'
import { tagFamilyFor } from './tag-family.ts'
import { compareNumbers, type Version } from './versions.ts'

/** `open`: unknown, because a floating tag may be either. */
export type ReleaseOrder = 'older' | 'not_older' | 'open'

/** Whether a running version is older than a release of the same list. Releases of other tag families do not count. */
export function compareToRelease(release: DatedRelease, list: ReleaseList, current: Version | undefined): ReleaseOrder {
  if (!current) return 'open'
  const family = tagFamilyFor(list, current)
  if (typeof family === 'string') return 'open'
  if (!family.releases.includes(release)) return 'not_older'
  if (family.mode === 'exact') return isNewer(release.version, current) ? 'older' : 'not_older'
  if (isLaterScheme(release.version, current)) return 'older'
  const order = compareNumbers(release.version.segments.slice(0, current.segments.length), current.segments)
  if (order === 0) return 'open'
  return order > 0 ? 'older' : 'not_older'
}
