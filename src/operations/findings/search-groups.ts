import type { FindingGroup, Findings } from '../../contract/finding.ts'
import { severityFor } from '../../reports/finding-index.ts'
import { namespacesAt } from '../../reports/place-sets.ts'
import { formatTexts } from '../../reports/select-findings.ts'
import { stableResource } from '../../reports/stable-name.ts'
import type { AcceptedFinding } from './accepted.ts'
import { type FindingCandidate, type LookedAt, noRank } from './candidates.ts'
import { Groups } from './group.ts'
import { countsOfRun, type RankCounts, without } from './search-count.ts'
import { toMatches } from './search-fetch.ts'
import { noGaps, type SearchGaps, sumGaps } from './search-gaps.ts'
import { ownersFor } from './search-owners.ts'
import type { SearchPlan } from './search-plan.ts'
import { sumOf, unlistedIn } from './search-unlisted.ts'

type GroupBy = NonNullable<Findings['group_by']>

interface Grouped extends Pick<Findings, 'findings' | 'rows'> {
  /** All groups, in the requested order. A finding in several namespaces counts in the group of each. */
  groups: FindingGroup[]
  gaps: SearchGaps
}

/** Counts that a run adds to the groups. */
type Added = Omit<Grouped, 'groups'>

export async function groupRuns(plan: SearchPlan, by: GroupBy): Promise<Grouped> {
  const groups = new Groups()
  const added: Added[] = []
  const isCounted = plan.isOpenOnly && plan.order !== 'first-seen'
  for (const run of plan.runs) {
    const canCount = by !== 'resource' && by !== 'owner' && isCounted
    added.push(await (canCount ? addCounts(groups, plan, run, by) : addMatches(groups, plan, run, by)))
  }
  return {
    groups: groups.list(plan.query.order),
    findings: added.reduce((sum, { findings }) => sum + findings, 0),
    rows: added.reduce((sum, { rows }) => sum + rows, 0),
    gaps: sumGaps(added.map(({ gaps }) => gaps)),
  }
}

const clusterKey = ({ stored: { run } }: LookedAt) => `${run.cluster_name} (${run.environment})`

/** Adds a run's counts of groups. */
async function addCounts(
  groups: Groups,
  plan: SearchPlan,
  run: LookedAt,
  by: Exclude<GroupBy, 'resource' | 'owner'>,
): Promise<Added> {
  const { ranks } = plan
  const { clusterId } = run.stored
  const accepted = [...(await plan.acceptedOf(run)).values()]
  const counts = without(accepted, countsOfRun(run.stored))
  const sums = ({ findings, rows }: RankCounts) => ({ findings: sumOf(ranks, findings), rows: sumOf(ranks, rows) })
  const add = (group: { key: string | null; name: string | null }, of: RankCounts) => {
    const worst = ranks.find((rank) => of.findings[rank]! > 0)
    if (worst !== undefined) groups.addCounts(group, { rank: worst, clusterId, ...sums(of) })
  }
  if (by === 'check' || by === 'namespace') {
    const found = await plan.countsOf(run)
    for (const group of found[by]) add(group, without(acceptedBy(accepted, by, group.number), group))
    return { ...sums(counts), gaps: { ...noGaps, unlisted_rows: unlistedIn(found.check, ranks) } }
  }
  if (by === 'cluster') add({ key: clusterKey(run), name: null }, counts)
  else {
    for (const rank of ranks) {
      const only = (each: number[]) => each.map((many, other) => (other === rank ? many : 0))
      add({ key: severityFor(rank), name: null }, { findings: only(counts.findings), rows: only(counts.rows) })
    }
  }
  return { ...sums(counts), gaps: noGaps }
}

const acceptedBy = (accepted: AcceptedFinding[], by: 'check' | 'namespace', number: number): AcceptedFinding[] =>
  accepted.filter(({ numbers: { check, namespace } }) =>
    by === 'check' ? check === number : namespace.includes(number),
  )

/** Adds the findings of a run one by one. */
async function addMatches(groups: Groups, plan: SearchPlan, run: LookedAt, by: GroupBy): Promise<Added> {
  const { found, gaps } = await toMatches(plan, run, by !== 'severity' && by !== 'cluster')
  if (found.length === 0) return { findings: 0, rows: 0, gaps }
  const keysOf = await keyReader(plan, run, found, by)
  for (const candidate of found) {
    for (const key of keysOf(candidate)) {
      groups.add({ key, name: by === 'check' ? candidate.checkName : null }, candidate)
    }
  }
  return { findings: found.length, rows: found.reduce((sum, { count }) => sum + count, 0), gaps }
}

/** Returns the groups of each finding of a run. */
async function keyReader(
  plan: SearchPlan,
  run: LookedAt,
  found: FindingCandidate[],
  by: GroupBy,
): Promise<(candidate: FindingCandidate) => (string | null)[]> {
  if (by === 'check') return ({ check }) => [check]
  if (by === 'cluster') return () => [clusterKey(run)]
  if (by === 'severity') return ({ rank }) => [rank === noRank ? null : severityFor(rank)]
  if (by === 'resource') {
    const resources = await toResources(plan, run, found)
    return (candidate) => [resources.get(candidate) ?? null]
  }
  if (by === 'owner') {
    const owners = await ownersFor(plan, run, found)
    return (candidate) => {
      const own = owners.get(candidate)!
      return [own.map(({ owner }) => owner).join(', ') || null]
    }
  }
  const { records, namespaces, places } = (await plan.open(run)).index
  return ({ subject, namespace }) =>
    typeof subject === 'number'
      ? namespacesAt(records, subject, places).map((number) => namespaces[number - 1] ?? null)
      : [namespace || null]
}

/** Stable names of resources, so that the pods of a workload are one group. */
async function toResources(
  { open }: SearchPlan,
  run: LookedAt,
  own: FindingCandidate[],
): Promise<Map<FindingCandidate, string>> {
  const result = new Map<FindingCandidate, string>()
  const set = (candidate: FindingCandidate, resource: string | null) => {
    if (resource === null) return
    result.set(candidate, [candidate.namespace, stableResource(resource)].filter(Boolean).join(' '))
  }
  const byOffset = new Map<number, FindingCandidate>()
  for (const candidate of own) {
    const { subject } = candidate
    if (typeof subject === 'number') byOffset.set(subject, candidate)
    else if ('resource' in subject) set(candidate, subject.resource)
  }
  if (byOffset.size === 0) return result
  for await (const [at, { resource }] of formatTexts(await open(run), [...byOffset.keys()])) {
    set(byOffset.get(at)!, resource)
  }
  return result
}
