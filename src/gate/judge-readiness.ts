import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { count } from '../util/words.ts'
import type { Court } from './court.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import type { Violation } from './violation.ts'

/** Counts the blockers of AKS Automatic that KubeBuddy reports. Undecided for a cluster that it did not assess. */
export function judgeReadiness({ allowed }: RuleOf<'aks-blockers'>, { run }: Pick<Court, 'run'>): RuleVerdict {
  const { aks_readiness: readiness } = run
  if (readiness === undefined)
    return undecided('The server does not say whether the cluster is ready for AKS Automatic', 'aks')
  if (readiness === null)
    return undecided('The report does not say whether the cluster is ready for AKS Automatic', 'aks')
  if (readiness.skipped) return undecided('The scanner did not assess AKS Automatic', 'aks')
  const { blockers, blocker_count, status, label } = readiness
  const total = Math.max(blocker_count ?? 0, blockers.length)
  if (total <= allowed && blocker_count === null)
    return undecided('The report does not count what blocks AKS Automatic, or counts others than it lists', 'aks')
  if (total === 0 && !isReady([status, label].filter((word) => word !== null)))
    return undecided('The report counts no blocker of AKS Automatic, and does not say that the cluster is ready', 'aks')
  const reason = `${count(total, 'blocker')} of AKS Automatic; ${allowed} allowed`
  return { ...decided(total > allowed, reason, blockers.map(toViolation)), total }
}

/** Words of KubeBuddy; a cluster that only needs changes has no blocker. */
const isReady = (words: string[]): boolean =>
  words.length > 0 && words.every((word) => /^ready(?:[ _]with[ _]changes)?$/i.test(word))

function toViolation({
  check_id,
  name,
  severity,
  message,
}: NonNullable<ReceivedRun['aks_readiness']>['blockers'][number]): Violation {
  return {
    kind: 'aks_blocker',
    id: check_id,
    name: name ?? check_id,
    severity,
    namespace: null,
    resource: null,
    message: message ?? name ?? check_id,
    fingerprint: null,
  }
}
