import type { AssessedItem } from '../freshness/index.ts'
import { workloadsFor } from '../freshness/workloads.ts'
import type { ArtifactPlace } from '../reports/artifact-owners.ts'
import { clusterSlug, isCoupled } from './coupled.ts'
import type { PlanPart } from './part.ts'
import { chartVersioned, hasAppVersion, type PartKnowledge, toPart } from './part-of.ts'

/** Returns the owners at some places; absent if no owner is set. */
export type OwnersOf = ((places: readonly ArtifactPlace[]) => string[]) | undefined

/** One part for each version of each project that is coupled to Kubernetes or has facts. */
export function toParts(items: readonly AssessedItem[], known: PartKnowledge, ownersFor?: OwnersOf) {
  const counts = {
    /** Number of artifacts without a known project. */
    unknown: 0,
    /** Number of artifacts that the offering upgrades with the cluster. */
    managed: 0,
    /** Number of artifacts of known projects that do not depend on a Kubernetes version. */
    others: 0,
  }
  const wanted = items.filter((item) => {
    const kind = toKind(item, known)
    if (kind !== 'part' && kind !== 'kubernetes') counts[kind]++
    return kind === 'part'
  })
  const byProject = Map.groupBy(wanted, ({ match }) => match.project!.slug)
  const parts = [...byProject].flatMap(([slug, own]) => {
    const charts = [...new Set(own.flatMap(({ chart }) => chart ?? []))].sort()
    return toVersions(slug, own).map((same) => {
      const owners = ownersFor && { owners: ownersFor(same.flatMap(({ places }) => places)) }
      return { ...withCharts(merged(same, known), charts), ...owners }
    })
  })
  return { parts: parts.sort((a, b) => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0)), ...counts }
}

function toKind({ type, managedBy, match }: AssessedItem, { facts }: PartKnowledge) {
  if (type === 'kubernetes') return 'kubernetes'
  if (managedBy) return 'managed'
  if (!match.project) return 'unknown'
  const { slug } = match.project
  // Images of the control plane and kube-proxy are upgraded with the cluster.
  if (slug === clusterSlug) return 'kubernetes'
  return facts.toLines(slug).length > 0 || isCoupled(slug, facts) ? 'part' : 'others'
}

/** Versions of images are the project's; those of charts count if ranges are about them, or if no image has a version. */
function toVersions(slug: string, items: readonly AssessedItem[]) {
  const isChart = chartVersioned.includes(slug)
  const own = items.filter(({ type, chart }) => (type === 'helm_chart') === isChart && (!isChart || chart === slug))
  const ofOwn = own.filter(hasAppVersion)
  const read = ofOwn.length > 0 || isChart ? ofOwn : items.filter(hasAppVersion)
  if (read.length === 0) return [[...(own.length > 0 ? own : items)].slice(0, 1)]
  return [...Map.groupBy(read, ({ current }) => current!.segments.join('.')).values()]
}

/** Charts of one project are upgraded together, and the ranges of each count. */
function withCharts(part: PlanPart, charts: string[]) {
  if (charts.length === 0) return part
  return { ...part, charts, identity: JSON.stringify([part.identity, charts]) }
}

function merged(items: AssessedItem[], known: PartKnowledge): PlanPart {
  const [item] = items as [AssessedItem]
  const part = toPart(item, known)
  const workloads = [...new Set(items.flatMap(workloadsFor))].sort()
  if (hasAppVersion(item)) return { ...part, workloads }
  return { ...part, numbers: undefined, ...(item.type === 'helm_chart' && { isOfChart: true }), workloads }
}
