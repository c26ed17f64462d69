import type { AdvisoryCount, ArtifactCounts, NearSupportEnd, UpgradeBlockers } from '../../contract/cluster-metrics.ts'
import type { Eol } from '../../contract/eol.ts'
import type { NodeComponent } from '../../contract/node.ts'
import { type AssessedItem, countedDay } from '../../freshness/index.ts'
import type { MadePlan } from '../../upgrade/plan.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { parseTimestamp } from '../../util/time.ts'

/** Figures of a cluster for metrics, beyond those in its summary. */
export interface RunningFigures {
  /** Day of the oldest releases that artifacts were compared with, `YYYY-MM-DD`; undefined if none was. */
  known_until?: string | undefined
  artifacts: ArtifactCounts
  /** Null if no running artifact could be compared with advisories. */
  advisories: AdvisoryCount[] | null
  /** Support end of Kubernetes first, then the nearest ones. */
  support: NearSupportEnd[]
  /** Undefined: undetermined, or computed by an older version of relt. */
  upgrade_blockers?: UpgradeBlockers | undefined
}

/** Maximum support ends besides that of Kubernetes. */
const mostEnds = 20

export const writeFigures = (figures: RunningFigures) => Buffer.from(JSON.stringify(figures))
export const readFigures = (text: Buffer): RunningFigures => JSON.parse(text.toString('utf8'))

export function toFigures(
  assessed: AssessedItem[],
  { nodes, blockers, now }: { nodes: NodeComponent[]; blockers: UpgradeBlockers | undefined; now: UnixSeconds },
): RunningFigures {
  return {
    known_until: assessed.flatMap((one) => countedDay(one) ?? []).sort()[0],
    artifacts: countArtifacts(assessed),
    advisories: countAdvisories(assessed),
    support: supportEnds(assessed, nodes, now),
    upgrade_blockers: blockers,
  }
}

/**
 * Number of upgrade blockers. Undefined if the cluster's version is unknown, or if there are no known blockers but unknown
 * ones are possible, such as requirements of a Kubernetes version that is not out yet (`minors` has the released ones).
 */
export function countBlockers(
  { from, to, verdict, reasons }: MadePlan,
  minors: readonly string[],
): UpgradeBlockers | undefined {
  const count = reasons.filter(({ word }) => word === 'blocked').length
  const isOpen = verdict === 'undetermined' || !minors.includes(to)
  return from === null || (count === 0 && isOpen) ? undefined : { target: to, count }
}

/** Excludes Kubernetes itself, and artifacts that only the vendor upgrades. */
function countArtifacts(assessed: AssessedItem[]): ArtifactCounts {
  const counts: ArtifactCounts = { current: 0, behind: 0, out_of_support: 0, retired: 0, compromised: 0, unknown: 0 }
  for (const one of assessed) if (one.type !== 'kubernetes' && !one.managedBy?.isOwn) counts[shareOf(one)]++
  return counts
}

/** The worst known status of an artifact. It is current only if no fact says otherwise. */
function shareOf({ states, support, verdict }: AssessedItem): keyof ArtifactCounts {
  const all = new Set(states.reasons.map(({ state }) => state))
  if (all.has('compromised')) return 'compromised'
  if (all.has('retired')) return 'retired'
  if (support?.is_eol || all.has('unsupported')) return 'out_of_support'
  if (verdict.status === 'minor_behind' || verdict.status === 'major_behind') return 'behind'
  if (all.has('withdrawn') || all.has('moved') || all.has('frozen')) return 'behind'
  return verdict.status === 'up_to_date' && !all.has('old_facts') ? 'current' : 'unknown'
}

/** Each advisory counts once, whatever the number of affected artifacts. It is fixable if a fix is known for all of them. */
function countAdvisories(assessed: AssessedItem[]): AdvisoryCount[] | null {
  const compared = assessed.filter(({ security, managedBy }) => security && !managedBy?.isOwn)
  if (compared.length === 0) return null
  const found = new Map<string, Omit<AdvisoryCount, 'count'>>()
  for (const { id, severity, exploited, fixedInLine, fixedIn } of compared.flatMap((one) => one.security!.advisories)) {
    const earlier = found.get(id)
    const fixable = (fixedInLine !== undefined || fixedIn !== null) && earlier?.fixable !== false
    found.set(id, { severity: severity ?? 'unknown', fixable, exploited: exploited !== undefined })
  }
  const counts = new Map<string, AdvisoryCount>()
  for (const one of found.values()) {
    const key = JSON.stringify(one)
    counts.set(key, { ...one, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

/** Future support ends first, nearest first. */
function supportEnds(assessed: AssessedItem[], nodes: NodeComponent[], now: UnixSeconds): NearSupportEnd[] {
  const ends = new Map<string, NearSupportEnd & { at: UnixSeconds }>()
  const add = (project: string, { cycle, date }: Eol) => {
    const at = date === null ? undefined : parseTimestamp(date)
    if (at !== undefined) ends.set(`${project} ${cycle}`, { project, cycle, ends_on: date!, at })
  }
  for (const { type, support, match } of assessed) {
    if (support) add(type === 'kubernetes' ? 'kubernetes' : (match.project?.slug ?? support.name), support)
  }
  for (const { slug, eol } of nodes) if (eol && slug && slug !== 'kubernetes') add(slug, eol)
  const nearest = [...ends.values()].sort(
    (a, b) => Number(a.at < now) - Number(b.at < now) || Math.abs(a.at - now) - Math.abs(b.at - now),
  )
  const [own, others] = [nearest.filter(isKubernetes), nearest.filter((one) => !isKubernetes(one))]
  return [...own, ...others.slice(0, mostEnds)].map(({ at: _, ...end }) => end)
}

const isKubernetes = ({ project }: NearSupportEnd) => project === 'kubernetes'
