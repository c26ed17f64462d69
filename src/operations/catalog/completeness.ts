import type { FoundRelease } from '../../catalog/found-release.ts'
import type { Db } from '../../db/open.ts'
import { saveCompleteness } from '../../store/catalog/project.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'
import { daySeconds, formatDay } from '../../util/time.ts'

const listed = 'releases that its repository listed'

/**
 * A repository lists its releases newest first without gaps. If the list reaches a known release, none in between is missing
 * and the history stays complete. Otherwise it is complete since the oldest release in the list, or not at all if the list
 * has no exact times.
 */
export async function updateCompleteness(
  trx: Db,
  { id, completeSince }: Pick<TrackedProject, 'id' | 'completeSince'>,
  { releases, added }: { releases: FoundRelease[]; added: number },
) {
  const apps = releases.filter(({ chartName }) => chartName === '')
  if (apps.length === 0) return
  const isRough = apps.some((release) => release.isRough)
  const reachesKnown = apps.length > added
  if (reachesKnown && (completeSince !== null || isRough)) return
  const oldest = Math.min(...apps.map(({ publishedAt }) => publishedAt))
  // Other releases of that day may be older than the list.
  const since = isRough ? null : formatDay(oldest + daySeconds)
  if (since !== completeSince) await saveCompleteness(trx, id, { since, basis: since === null ? null : listed })
}
