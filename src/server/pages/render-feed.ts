import { ownAccount } from '../../contract/choices.ts'
import type { Comparison } from '../../contract/cluster-report.ts'
import { insteadOf, ReltError } from '../../errors.ts'
import { type AtomEntry, renderAtom } from '../../html/feeds/atom.ts'
import { renderCalendar } from '../../html/feeds/calendar.ts'
import type { Call } from '../../html/pages/view.ts'
import { supportTitle } from '../../lifecycle/support-text.ts'
import { markComparison, unacceptedOf } from '../../operations/findings/accepting.ts'
import { listSupportEnds, type SupportEnd } from '../../operations/notifications/feed.ts'
import { compareReports } from '../../operations/runs/compare.ts'
import { staleText } from '../../reports/stale-catalog.ts'
import { invoke } from '../../service/invoke.ts'
import type { Service } from '../../service/service.ts'
import type { FoundFeed } from '../../store/notifications/feed.ts'
import { formatTimestamp } from '../../util/time.ts'
import { andMore } from '../../util/words.ts'
import { scoresText } from '../../views/score.ts'
import type { FeedJob } from '../worker-messages.ts'

const comparedRuns = 5
const daysOfReleases = 30

/** Text of a feed, as its user may see it now. Throws `not_found` if the user may no longer see it. */
export function renderFeed(service: Service, { feed, origin }: FeedJob): Promise<string> {
  return renderers[feed.kind](service, feed, origin).catch((error: unknown) => {
    // The user has left the team, or no longer has a plan with clusters.
    if (error instanceof ReltError && ['not_found', 'forbidden'].includes(error.code)) throw gone()
    throw error
  })
}

export const gone = () => new ReltError('not_found', 'There is no feed at this address. It may have been revoked.')

type Render = (service: Service, feed: FoundFeed, origin: string) => Promise<string>

/** Rounded to the day, so that the text and ETag of an unchanged feed stay the same. */
const startOfDay = (now: number): string => `${formatTimestamp(now).slice(0, 10)} 00:00:00`

/** Calls the service as the user of the feed. */
const callerFor =
  (service: Service, { user, team }: FoundFeed): Call =>
  (name, input) =>
    invoke(service, name, { ...input, user, team: team ?? ownAccount })

const renderReleases: Render = async (service, feed, origin) => {
  const call = callerFor(service, feed)
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
  const updated = startOfDay(service.now())
  return renderAtom({
    id: `urn:relt:${feed.publicId}`,
    title: 'Releases of your projects',
    subtitle: staleText(catalog_date, service.now()),
    url: `${origin}/releases`,
    updated,
    entries,
  })
}

const renderChanges: Render = async (service, feed, origin) => {
  const call = callerFor(service, feed)
  const { cluster, team, ownerId } = feed
  if (!cluster) throw gone()
  const { name: cluster_name, environment } = cluster
  const query = { cluster_name, environment, per_page: comparedRuns }
  const { items } = await call('listReports', { query })
  const entries: AtomEntry[] = []
  for (const run of items) {
    const wanted = { ownerId, clusterId: undefined, toRunId: run.run_id, vault: service.vault }
    const compared = await compareReports(service.db, wanted).catch(insteadOf('not_found', undefined))
    const asking = { ownerId: wanted.ownerId, vault: wanted.vault, now: service.now() }
    const found = compared && (await markComparison(service.db, compared, asking))
    entries.push({
      id: `urn:relt:run:${run.run_id}`,
      title: `${cluster_name} (${environment}): ${found ? toChanges(found) : 'no earlier scan to compare with'}`,
      at: run.finished_at ?? run.started_at ?? run.ingested_at,
      url: `${origin}/runs/${run.run_id}?team=${encodeURIComponent(team ?? ownAccount)}`,
      summary: `Score ${scoresText(run, found)}. ${run.findings.total} findings, ${run.not_run_checks ?? 'an unknown number of'} checks did not run. Gate: ${run.gate?.verdict ?? 'not judged'}.`,
    })
  }
  const updated = startOfDay(service.now())
  const title = `Changes of ${cluster_name} (${environment})`
  return renderAtom({ id: `urn:relt:${feed.publicId}`, title, url: `${origin}/`, updated, entries })
}

function toChanges(found: Comparison): string {
  const { added, regressed } = unacceptedOf(found)
  const { accepted_findings_count: accepted, incomparable_findings_count: hidden } = found
  const counts = `${added.length} new, ${regressed.length} regressed, ${found.resolved_findings_count} resolved`
  return `${counts}${accepted ? `, ${accepted} accepted` : ''}${hidden > 0 ? `, ${hidden} not comparable` : ''}`
}

const renderSupport: Render = async (service, feed, origin) => {
  const call = callerFor(service, feed)
  // Checks plan and membership like any other request about clusters.
  await call('listClusters', { query: { per_page: 1 } })
  const ends = await listSupportEnds(service, feed.ownerId, service.now())
  const days = ends.map(({ project, name, line, date, clusters, support }) => ({
    // Without the day, so that a calendar moves the event if the day changes.
    uid: `${encodeURIComponent([project, ...ownerOf(support), line].join('-'))}@relt`,
    date,
    title: `${supportTitle(support ?? {})} of ${name} ${line} ends`,
    description: `${extendedSentence(support)}Runs in ${clusters.slice(0, 20).join(', ')}${clusters.length > 20 ? ` ${andMore(clusters.length - 20)}` : ''}.`,
    url: `${origin}/`,
  }))
  return renderCalendar('Ends of support', days, startOfDay(service.now()))
}

const ownerOf = (support: SupportEnd['support']) => (support?.by && support.by !== 'upstream' ? [support.by] : [])

const extendedSentence = (support: SupportEnd['support']): string =>
  support?.extended_until === undefined ? '' : `Paid extended support lasts until ${support.extended_until}. `

const renderers: Record<FoundFeed['kind'], Render> = {
  releases: renderReleases,
  changes: renderChanges,
  support: renderSupport,
}
