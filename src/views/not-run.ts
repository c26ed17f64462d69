import type { CheckNotRun } from '../contract/cluster-report.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { count } from '../util/words.ts'

/** The checks of a run that did not run, and the number of those that the server does not list. */
export function checksNotRun({ checks_not_run, not_run_checks }: Partial<WithChecks>) {
  const named = checks_not_run ?? []
  const count = not_run_checks ?? named.length
  return { named, unnamed: Math.max(0, count - named.length) }
}

type WithChecks = Pick<ReceivedRun, 'checks_not_run' | 'not_run_checks'>

/** Number of checks that did not run, without those that a known fault of the scanner prevents; undefined if not known. */
export const countNotRun = ({ not_run_checks, known_faults = 0 }: NotRunCounts): number | undefined =>
  not_run_checks == null ? undefined : not_run_checks - known_faults

export interface NotRunCounts {
  not_run_checks?: number | null | undefined
  known_faults?: number | undefined
}

export interface NotRunGroup {
  /** The runs in which they did not run; `either scan` means both. */
  where: 'either scan' | 'the earlier scan' | 'the later scan'
  count: number
  /** Checks of both runs have the reason from the later one. */
  named: CheckNotRun[]
}

/** Merges checks that did not run in two runs, independent of order. */
export function groupNotRun(from: WithChecks | null, to: WithChecks | null): NotRunGroup[] {
  const [earlier, later] = [checksNotRun(from ?? {}), checksNotRun(to ?? {})]
  const isUnnamed = earlier.named.length + later.named.length === 0
  if (isUnnamed && earlier.unnamed === later.unnamed) {
    return later.unnamed > 0 ? [{ where: 'either scan', count: later.unnamed, named: [] }] : []
  }
  const toIds = (checks: CheckNotRun[]) => new Set(checks.map(({ check_id }) => check_id))
  const [before, now] = [toIds(earlier.named), toIds(later.named)]
  const { true: both = [], false: onlyNow = [] } = Object.groupBy(
    later.named,
    ({ check_id }) => `${before.has(check_id)}`,
  )
  const onlyBefore = earlier.named.filter(({ check_id }) => !now.has(check_id))
  const groups: NotRunGroup[] = [
    { where: 'either scan', count: both.length, named: both },
    { where: 'the earlier scan', count: onlyBefore.length + earlier.unnamed, named: onlyBefore },
    { where: 'the later scan', count: onlyNow.length + later.unnamed, named: onlyNow },
  ]
  return groups.filter(({ count }) => count > 0)
}

export const unnamedText = (many: number) => `${count(many, 'more check')} did not run`
