import type { FleetSummary } from '../contract/cluster.ts'
import type { ReceivedCluster } from '../contract/received/cluster.ts'
import type { FleetUpgrade } from '../contract/upgrade-fleet.ts'
import { span } from '../util/duration.ts'
import { count, withoutStop } from '../util/words.ts'
import { listUnknowns } from './attention.ts'
import { clusterNotes, oldestCatalog } from './cluster.ts'
import type { Fleet } from './fleet.ts'
import { joined, type Said, safe, say } from './said.ts'
import { slashedCluster } from './scan.ts'

const mostNames = 8

/** Up to a maximum number of clusters, and the number of remaining ones. */
function placesSaid(places: readonly Pick<ReceivedCluster, 'cluster_name' | 'environment'>[]) {
  const more = places.length - mostNames
  const names = joined(places.slice(0, mostNames).map(slashedCluster), ', ')
  return more > 0 ? say`${names} and ${safe(count(more, 'more cluster'))}` : names
}

/** Available data about a fleet. */
interface KnownOfFleet {
  fleet: Fleet
  upgrade: FleetUpgrade | undefined
  /** Missing parts by title, with the reason. */
  missing: readonly [title: string, reason: string][]
}

/** What is unknown about a fleet, one sentence each. */
export function fleetGaps({ fleet, upgrade, missing }: KnownOfFleet, now: number): Said[] {
  const { items, summary } = fleet
  const silent = items.filter(({ latest_run }) => !latest_run)
  const { never_reported: never = [] } = summary ?? {}
  const unplanned = upgrade?.not_planned ?? []
  const clauses = [
    ...(summary ? [] : [say`The server has no figures of clusters: which of them need attention is not known`]),
    ...(unplanned.length > 0 ? [say`No upgrade plan of ${placesSaid(unplanned)}`] : []),
    ...unknownLines(items, now, summary && oldestCatalog(items)),
    ...(silent.length > 0 ? [say`No run of ${placesSaid(silent)}`] : []),
    ...(never.length > 0 ? [neverReportedSaid(never)] : []),
  ]
  return [...missing.map(([title, reason]) => say`${safe(title)}: ${reason}`), ...clauses.map((said) => say`${said}.`)]
}

/** Used for a fleet without missing parts. */
export const noFleetGaps = ({ items }: Fleet): Said =>
  say`Looked at ${safe(count(items.length, 'cluster'))}: each has a run, and none has figures that are not known.`

/** Clusters whose reports agents promised but that have none. */
export function neverReportedSaid(never: NonNullable<FleetSummary['never_reported']>): Said {
  const [first] = never
  const since = first ? `, expected every ${span(first.expected_every)} since ${first.expected_since}` : ''
  return say`No report ever came of ${placesSaid(never)}${safe(since)}`
}

/** Limitations of the figures of all clusters. */
export const fleetNotes = ({ items, summary }: Fleet, now: number) => (summary ? clusterNotes(items, summary, now) : [])

/**
 * Lists each sentence once with its clusters, because most apply to many. Skips the age of the oldest catalog, which a note
 * states.
 */
function unknownLines(items: ReceivedCluster[], now: number, oldest: string | undefined) {
  const said = items.flatMap((item) =>
    listUnknowns(item, now)
      .filter(({ staleOf }) => staleOf === undefined || staleOf !== oldest)
      .map(({ says: sentence }) => ({ sentence, item })),
  )
  return [...Map.groupBy(said, ({ sentence }) => sentence)].map(([sentence, about]) => {
    const words = safe(withoutStop(sentence))
    if (about.length === items.length && items.length > 1)
      return say`${safe(`All ${count(items.length, 'cluster')}`)}: ${words}`
    return say`${placesSaid(about.map(({ item }) => item))}: ${words}`
  })
}
