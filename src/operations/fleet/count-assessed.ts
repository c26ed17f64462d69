import type { Eol } from '../../contract/eol.ts'
import { factsLimit } from '../../contract/facts-age.ts'
import type { NodeComponent } from '../../contract/node.ts'
import type { ArtifactState } from '../../contract/step.ts'
import { supportSoonDays } from '../../contract/thresholds.ts'
import type { AssessedItem } from '../../freshness/index.ts'
import type { ClusterSummary } from '../../store/fleet/summary.ts'
import { daySeconds, parseTimestamp } from '../../util/time.ts'

type Counts = Omit<ClusterSummary, 'inventory_run_id' | 'catalog_revision' | 'since' | 'repeated_critical'>

/** Components that only their vendor upgrades do not count as outdated; Kubernetes itself is not an artifact. */
export function countAssessed(assessed: AssessedItem[], nodes: NodeComponent[], now: number): Counts {
  const counts = { artifacts: 0, known: 0, minor_behind: 0, major_behind: 0, affected: 0 }
  const worst = { affected_critical: 0, affected_high: 0 }
  const states = { compromised: 0, exploited: 0, retired: 0 }
  const supports = new Map<string, AssessedItem['support'] & object>()
  for (const one of assessed) {
    const { type, verdict, managedBy, security, support } = one
    if (type !== 'kubernetes') {
      counts.artifacts++
      if (verdict.status !== 'unknown') counts.known++
    }
    if (hasState(one, 'compromised')) states.compromised++
    if (support) supports.set(`${support.name} ${support.date}`, support)
    if (managedBy?.isOwn) continue
    if (verdict.status === 'minor_behind' || verdict.status === 'major_behind') counts[verdict.status]++
    if (hasState(one, 'retired')) states.retired++
    if (security?.advisories.some(({ exploited }) => exploited)) states.exploited++
    const [advisory] = security?.advisories ?? []
    if (advisory) counts.affected++
    if (advisory?.severity === 'critical' || advisory?.severity === 'high') worst[`affected_${advisory.severity}`]++
  }
  for (const { slug, eol } of nodes) if (eol) supports.set(nodeSupportKey(slug, eol), { ...eol, name: slug ?? '' })
  const ends = [...supports.values()].flatMap(({ date }) => (date === null ? [] : (parseTimestamp(date) ?? [])))
  const isSoon = (end: number) => end - now < supportSoonDays * daySeconds
  const open = [...supports.values()].filter(({ is_eol }) => !is_eol)
  const ending = open.filter(({ date }) => date !== null && isSoon(parseTimestamp(date) ?? Number.POSITIVE_INFINITY))
  const days = assessed.flatMap(({ catalogDate }) => parseTimestamp(catalogDate) ?? [])
  const boundaries = [
    ...ends.flatMap((end) => [end - supportSoonDays * daySeconds, end, end + daySeconds]),
    ...days.map((day) => day + (factsLimit.days + 1) * daySeconds),
  ]
  return {
    ...counts,
    ...worst,
    ...states,
    ended: supports.size - open.length,
    ending: ending.length,
    // The latest time in a timestamp, if nothing ends.
    valid_until: Math.min(253_402_300_799, ...boundaries.filter((time) => time > now)),
  }
}

/** Nodes with the cluster's own Kubernetes version do not count twice. */
const nodeSupportKey = (slug: string | null, { cycle, date }: Eol) =>
  slug === 'kubernetes' ? `Kubernetes ${cycle} ${date}` : `node ${slug} ${cycle} ${date}`

const hasState = ({ states }: AssessedItem, wanted: ArtifactState) =>
  states.reasons.some(({ state }) => state === wanted)
