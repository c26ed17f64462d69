import type { FoundRelease } from '../../catalog/found-release.ts'
import type { Db } from '../../db/open.ts'
import { saveCompleteness } from '../../store/catalog/project.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'
import { daySeconds, formatDay } from '../../util/time.ts'

const listed = 'releases that its repository listed'

/**
 * A repository lists its newest releases without gaps. If the list reaches a known release, none in between is missing and
 * the history stays complete; otherwise it is complete since the oldest release in the list. A whole list makes it complete
 * since the first release.
 */
export async function updateCompleteness(
  trx: Db,
  { id, completeSince }: Pick<TrackedProject, 'id' | 'completeSince'>,
  { releases, added, isWhole }: { releases: FoundRelease[]; added: number; isWhole?: true | undefined },
) {
  const apps = releases.filter(({ chartName }) => chartName === '')
  if (apps.length === 0) return
  const oldest = Math.min(...apps.map(({ publishedAt }) => publishedAt))
  // Other releases of that day may be older than a list of the newest.
  const since = formatDay(isWhole ? oldest : oldest + daySeconds)
  const staysComplete = completeSince !== null && (isWhole ? completeSince <= since : apps.length > added)
  if (!staysComplete) await saveCompleteness(trx, id, { since, basis: listed })
}
