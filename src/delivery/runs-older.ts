import { compareVersions, parseVersion } from '../freshness/versions.ts'
import { offeringCycles } from '../lifecycle/offering-cycles.ts'
import type { RunsIn } from '../notify/message.ts'
import type { InstalledVersion, InstalledVersions, LoggedEvent, Recipient } from './rules.ts'

/**
 * The recipient's clusters that a catalog event concerns: they run an older version than the release, or the line whose
 * support ends. An unknown version counts, because it may be older. Sorted by cluster, each with its oldest running version.
 */
export function runsOlder(
  event: LoggedEvent,
  recipient: Pick<Recipient, 'ownerIds'>,
  running: InstalledVersions,
): RunsIn[] {
  if (event.projectId === null) return []
  const found = new Map<string, RunsIn>()
  for (const one of running.get(event.projectId) ?? []) {
    if (!recipient.ownerIds.has(one.ownerId) || !isConcerned(event, one)) continue
    const { cluster, environment, version } = one
    const key = JSON.stringify([cluster, environment])
    const known = found.get(key)
    const owners = one.owners && { owners: [...new Set([...(known?.owners ?? []), ...one.owners])].sort() }
    const place = !known || isOlder(version, known.version) ? { cluster, environment, version } : known
    found.set(key, { ...place, ...owners })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place)
}

function isConcerned({ type, projectId, data }: LoggedEvent, one: InstalledVersion) {
  const { kind, name, version, releasedBy = null } = one
  const isOfDistribution = releasedBy === projectId
  if (type === 'support.ends') {
    return !isOfDistribution && version !== null && isOfLine(version, data.line ?? '') && data.offering === endsBy(one)
  }
  // A release of Kubernetes is not a release of a distribution.
  if (releasedBy !== null && !isOfDistribution) return false
  const isChart = data.releaseType === 'helm' || (data.chartName ?? '') !== ''
  if (isChart !== (kind === 'helm_chart')) return false
  if (isChart && data.chartName && name.slice(name.lastIndexOf('/') + 1) !== data.chartName) return false
  return isOlder(version, data.version ?? '')
}

/** The offering whose support ends apply to the running version; undefined: those of the project itself. */
const endsBy = ({ offering }: InstalledVersion) =>
  offering !== undefined && offeringCycles(offering) ? offering : undefined

/** If the texts are not comparable as versions, neither counts as newer. */
function isOlder(version: string | null, than: string | null) {
  if (version === null || than === null) return version === null && than !== null
  const [first, second] = [parseVersion(version), parseVersion(than)]
  if (!first || !second) return version !== than && !first
  return compareVersions(first, second) < 0
}

/** `1.31.4` is in the line `1.31`. */
function isOfLine(version: string, line: string) {
  const [own, wanted] = [parseVersion(version)?.segments ?? [], line.split('.')]
  return wanted.every((segment, index) => own[index] === segment)
}
