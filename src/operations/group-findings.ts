import type { FindingGroup } from '../contract/finding.ts'
import { invalidParams } from '../errors.ts'
import { severityOf } from '../reports/finding-index.ts'
import { compareTexts, type FindingCandidate, type Order, unknownRank } from './finding-candidates.ts'

const maxGroups = 100_000

type Named = Pick<FindingGroup, 'key' | 'name'>

interface Counts {
  rank: number
  findings: number
  rows: number
  clusterId: number
}

/** Findings counted by what they are grouped by. */
export class Groups {
  readonly #groups = new Map<string | null, Omit<FindingGroup, 'clusters'> & { rank: number; clusters: Set<number> }>()

  add(group: Named, { rank, count, run }: FindingCandidate): void {
    this.addCounts(group, { rank, findings: 1, rows: count, clusterId: run.stored.clusterId })
  }

  /** Findings of one cluster; `rank` is the most severe of them. */
  addCounts({ key, name }: Named, { rank, findings, rows, clusterId }: Counts): void {
    const known = this.#groups.get(key)
    if (!known && this.#groups.size === maxGroups) {
      throw invalidParams({ group_by: `makes over ${maxGroups} groups: choose a cluster, a namespace or a check` })
    }
    const group = known ?? { key, name, severity: null, findings: 0, rows: 0, rank: unknownRank, clusters: new Set() }
    this.#groups.set(key, group)
    group.findings += findings
    group.rows += rows
    group.rank = Math.min(group.rank, rank)
    group.clusters.add(clusterId)
  }

  /** The most severe first, or as asked for. */
  list(order: Order = 'severity'): FindingGroup[] {
    const groups = [...this.#groups.values()]
    const byName = (a: FindingGroup['key'], b: FindingGroup['key']) =>
      Number(a === null) - Number(b === null) || compareTexts(a ?? '', b ?? '')
    groups.sort((a, b) => {
      const severe = order === 'severity' ? a.rank - b.rank : 0
      const many = order === 'severity' || order === 'count' ? b.findings - a.findings : 0
      return severe || many || byName(a.key, b.key)
    })
    return groups.map(({ rank, clusters, ...group }) => ({
      ...group,
      severity: rank === unknownRank ? null : severityOf(rank),
      clusters: clusters.size,
    }))
  }
}
