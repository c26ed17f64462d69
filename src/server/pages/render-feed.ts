import { ownAccount } from '../../contract/choices.ts'
import { staleText } from '../../contract/facts-age.ts'
import { ReltError } from '../../errors.ts'
import { type AtomEntry, renderAtom } from '../../html/feeds/atom.ts'
import type { Call } from '../../html/pages/view.ts'
import { invoke } from '../../service/invoke.ts'
import type { Service } from '../../service/service.ts'
import { formatDay } from '../../util/time.ts'
import type { FeedJob } from '../worker-messages.ts'

const daysOfReleases = 30

/** Text of a feed, as its user may see it now. Throws `not_found` if the user may no longer see it. */
export function renderFeed(service: Service, job: FeedJob) {
  return renderReleases(service, job).catch((error: unknown) => {
    // The user has left the team.
    if (error instanceof ReltError && ['not_found', 'forbidden'].includes(error.code)) throw gone()
    throw error
  })
}

export const gone = () => new ReltError('not_found', 'There is no feed at this address. It may have been revoked.')

async function renderReleases(service: Service, { feed, origin }: FeedJob) {
  const { user, team } = feed
  const call: Call = (name, input) => invoke(service, name, { ...input, user, team: team ?? ownAccount })
  const { releases, catalog_date } = await call('getFeed', { query: { days: daysOfReleases } })
  const entries = releases.map(({ product_id, name, version, type, published_at, ...release }): AtomEntry => {
    const severity =
      release.security_severity && release.security_severity !== 'none' ? `, ${release.security_severity}` : ''
    return {
      id: `urn:relt:release:${product_id}:${type}:${encodeURIComponent(version)}`,
      title: `${name} ${version}${release.has_security_fix ? ` (security fix${severity})` : ''}`,
      at: published_at,
      url: `${origin}/projects/${product_id}`,
      summary: release.fixes?.length
        ? `Fixes ${release.fixes.join(', ')}, which affect what you run.`
        : release.has_security_fix
          ? 'A security fix.'
          : 'No security fix is known.',
    }
  })
  // Rounded to the day, so that the text and ETag of an unchanged feed stay the same.
  const updated = `${formatDay(service.now())} 00:00:00`
  return renderAtom({
    id: `urn:relt:${feed.publicId}`,
    title: 'Releases of your projects',
    subtitle: staleText(catalog_date, service.now()),
    url: `${origin}/subscriptions`,
    updated,
    entries,
  })
}
