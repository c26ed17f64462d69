import type { FindingGroup } from '../../contract/finding.ts'
import { invalidParams } from '../../errors.ts'
import { severityFor } from '../../reports/finding-index.ts'
import { compare, type FindingCandidate, noRank, type Order } from './candidates.ts'

const maxGroups = 100_000

type Named = Pick<FindingGroup, 'key' | 'name'>

interface Counts {
  rank: number
  findings: number
  rows: number
  clusterId: number
}

interface Group extends FindingGroup {
  rank: number
  lastCluster: number | undefined
}

/** Counts findings by group. Add all findings of one cluster before those of the next. */
export class Groups {
  readonly #groups = new Map<string | null, Group>()

  add(group: Named, { rank, count, run }: FindingCandidate): void {
    this.addCounts(group, { rank, findings: 1, rows: count, clusterId: run.stored.clusterId })
  }

  /** Adds findings of one cluster; `rank` is their highest severity. */
  addCounts({ key, name }: Named, { rank, findings, rows, clusterId }: Counts): void {
    const group = this.#groups.get(key) ?? this.#begin({ key, name })
    group.findings += findings
    group.rows += rows
    if (rank < group.rank) group.rank = rank
    if (group.lastCluster !== clusterId) group.clusters++
    group.lastCluster = clusterId
  }

  #begin(named: Named): Group {
    if (this.#groups.size === maxGroups) {
      throw invalidParams({ group_by: `makes over ${maxGroups} groups: choose a cluster, a namespace or a check` })
    }
    const counts = { findings: 0, rows: 0, clusters: 0 }
    const group = { ...named, severity: null, ...counts, rank: noRank, lastCluster: undefined }
    this.#groups.set(named.key, group)
    return group
  }

  /** Sorted by severity, or by the given order. */
  list(order: Order = 'severity'): FindingGroup[] {
    const groups = [...this.#groups.values()]
    const byName = (a: FindingGroup['key'], b: FindingGroup['key']) =>
      Number(a === null) - Number(b === null) || compare(a ?? '', b ?? '')
    groups.sort((a, b) => {
      const severe = order === 'severity' ? a.rank - b.rank : 0
      const many = order === 'severity' || order === 'count' ? b.findings - a.findings : 0
      return severe || many || byName(a.key, b.key)
    })
    return groups.map(({ rank, lastCluster: _, ...group }) => ({
      ...group,
      severity: rank === noRank ? null : severityFor(rank),
    }))
  }
}
