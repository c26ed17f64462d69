import type { ChangedFinding } from '../contract/cluster-report.ts'
import { type Leftover, toState } from './pair-changed.ts'
import { stableResource } from './stable-name.ts'

/** Checks of KubeBuddy that fail for workloads with one replica, and checks that fail for those with several. */
const single = new Set(['WRK017'])
const several = new Set(['WRK012', 'WRK015'])

/**
 * Scaling a workload beyond one replica, or back to one, swaps these findings. Removes such pairs from `gone` and `came`.
 */
export function pairReplicas(gone: Leftover[], came: Leftover[]): ChangedFinding[] {
  const before = Map.groupBy(gone.filter(isOpen), toKey)
  return came.filter(isOpen).flatMap((left) => {
    const others = before.get(toKey(left))?.filter((other) => trades(other, left)) ?? []
    const [first] = others
    if (!first) return []
    left.rows = 0
    for (const other of others) other.rows = 0
    return { ...left.finding, from: toState(first.finding), to: toState(left.finding) }
  })
}

const isOpen = ({ rows, finding }: Leftover): boolean =>
  rows > 0 && (single.has(finding.check_id) || several.has(finding.check_id))

const trades = (a: Leftover, b: Leftover): boolean => single.has(a.finding.check_id) !== single.has(b.finding.check_id)

/** Checks write `deployment/web` or `Deployment/web`. */
const toKey = ({ finding: { namespace, resource } }: Leftover): string =>
  `${namespace ?? ''}\n${resource === null ? '' : stableResource(resource)}`
