import type { FindingGroup } from '../contract/finding.ts'
import { invalidParams } from '../errors.ts'
import { severityOf } from '../reports/finding-index.ts'
import { compareTexts, type FindingCandidate, type Order, unknownRank } from './finding-candidates.ts'

const maxGroups = 100_000

/** Findings counted by what they are grouped by. */
export class Groups {
  readonly #groups = new Map<string | null, Omit<FindingGroup, 'clusters'> & { rank: number; clusters: Set<number> }>()

  add({ key, name }: Pick<FindingGroup, 'key' | 'name'>, { rank, count, run }: FindingCandidate): void {
    const known = this.#groups.get(key)
    if (!known && this.#groups.size === maxGroups) {
      throw invalidParams({ group_by: `makes over ${maxGroups} groups: choose a cluster, a namespace or a check` })
    }
    const group = known ?? { key, name, severity: null, findings: 0, rows: 0, rank: unknownRank, clusters: new Set() }
    this.#groups.set(key, group)
    group.findings++
    group.rows += count
    group.rank = Math.min(group.rank, rank)
    group.clusters.add(run.stored.clusterId)
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
