import type { Db } from '../../db/open.ts'
import type { ReleaseNews } from '../../store/catalog/collected-release.ts'
import { findReleaseFacts } from '../../store/catalog/release-change.ts'
import { recordEvents } from '../../store/notifications/record-event.ts'
import type { UnixSeconds } from '../../util/time.ts'

const types = {
  release: 'release.published',
  promotion: 'release.promoted',
  security: 'release.security',
} as const

/**
 * Records events about new releases, with the facts that decide who is notified. Call it in the transaction that saves the
 * releases.
 */
export async function recordReleaseNews(
  trx: Db,
  { projectId, news, now }: { projectId: number; news: ReleaseNews[]; now: UnixSeconds },
) {
  if (news.length === 0) return
  const facts = await findReleaseFacts(
    trx,
    projectId,
    news.map(({ version }) => version),
  )
  await recordEvents(
    trx,
    news.flatMap(({ kind, type, version, publishedAt }) => {
      const found = facts.find((one) => one.version === version && one.type === type)
      // A faulty release, which nobody should install, is not announced.
      if (found?.isFaulty) return []
      return {
        type: types[kind],
        at: now,
        projectId,
        data: {
          version,
          releaseType: type,
          publishedAt,
          ...(found?.chartName && { chartName: found.chartName }),
          ...(found?.isSecurityFix && { isSecurityFix: true, severity: found.severity }),
        },
      }
    }),
  )
}
