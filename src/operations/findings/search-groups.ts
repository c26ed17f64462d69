import type { FindingGroup, Findings } from '../../contract/finding.ts'
import { severityFor } from '../../reports/finding-index.ts'
import { formatTexts } from '../../reports/select-findings.ts'
import { stableResource } from '../../reports/stable-name.ts'
import { type FindingCandidate, type LookedAt, noRank } from './candidates.ts'
import { Groups } from './group.ts'
import { countsOfRun, type RankCounts } from './search-count.ts'
import { toMatches } from './search-fetch.ts'
import { noGaps, type SearchGaps, sumGaps } from './search-gaps.ts'
import { ownersFor } from './search-owners.ts'
import type { SearchPlan } from './search-plan.ts'
import { readGroups, sumOf, unlistedIn } from './search-unlisted.ts'

type GroupBy = NonNullable<Findings['group_by']>

interface Grouped {
  /** All groups, in the requested order. */
  groups: FindingGroup[]
  gaps: SearchGaps
}

export async function groupRuns(plan: SearchPlan, by: GroupBy): Promise<Grouped> {
  const groups = new Groups()
  const gaps: SearchGaps[] = []
  const isCounted = plan.isOpenOnly && plan.order !== 'first-seen'
  for (const run of plan.runs) {
    const canCount = by !== 'resource' && by !== 'owner' && isCounted && (await plan.acceptedOf(run)).size === 0
    gaps.push(canCount ? await addCounts(groups, plan, run, by) : await addMatches(groups, plan, run, by))
  }
  return { groups: groups.list(plan.query.order), gaps: sumGaps(gaps) }
}

const clusterKey = ({ stored: { run } }: LookedAt) => `${run.cluster_name} (${run.environment})`

/** Adds a run's counts of groups. */
async function addCounts(
  groups: Groups,
  plan: SearchPlan,
  run: LookedAt,
  by: Exclude<GroupBy, 'resource' | 'owner'>,
): Promise<SearchGaps> {
  const { ranks } = plan
  const { clusterId } = run.stored
  const add = (group: { key: string | null; name: string | null }, of: RankCounts) => {
    const worst = ranks.find((rank) => of.findings[rank]! > 0)
    if (worst === undefined) return
    groups.addCounts(group, {
      ...{ rank: worst, clusterId },
      ...{ findings: sumOf(ranks, of.findings), rows: sumOf(ranks, of.rows) },
    })
  }
  if (by === 'check' || by === 'namespace') {
    const found = await readGroups(plan, run.stored)
    for (const group of found[by]) add(group, group)
    return { ...noGaps, unlisted_rows: unlistedIn(found.check, ranks) }
  }
  const counts = countsOfRun(run.stored)
  if (by === 'cluster') add({ key: clusterKey(run), name: null }, counts)
  else {
    for (const rank of ranks) {
      const only = (each: number[]) => each.map((many, other) => (other === rank ? many : 0))
      add({ key: severityFor(rank), name: null }, { findings: only(counts.findings), rows: only(counts.rows) })
    }
  }
  return noGaps
}

/** Adds the findings of a run one by one. */
async function addMatches(groups: Groups, plan: SearchPlan, run: LookedAt, by: GroupBy): Promise<SearchGaps> {
  const { found, gaps } = await toMatches(plan, run, by !== 'severity' && by !== 'cluster')
  const resources = by === 'resource' ? await toResources(plan, run, found) : undefined
  const owners = by === 'owner' ? await ownersFor(plan, run, found) : undefined
  for (const candidate of found) {
    const [key, name] = {
      check: () => [candidate.check, candidate.checkName] as const,
      namespace: () => [candidate.namespace || null, null] as const,
      resource: () => [resources!.get(candidate) ?? null, null] as const,
      severity: () => [candidate.rank === noRank ? null : severityFor(candidate.rank), null] as const,
      cluster: () => [clusterKey(run), null] as const,
      owner: () =>
        [
          owners!
            .get(candidate)!
            .map(({ owner }) => owner)
            .join(', ') || null,
          null,
        ] as const,
    }[by]()
    groups.add({ key, name }, candidate)
  }
  return gaps
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
