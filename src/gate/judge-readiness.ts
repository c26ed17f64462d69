import type { ReceivedRun } from '../contract/received/cluster-report.ts'

import type { Court } from './court.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import type { Violation } from './violation.ts'

/** Counts the blockers of AKS Automatic that KubeBuddy reports. Undecided for a cluster that it did not assess. */
export function judgeReadiness({ allowed }: RuleOf<'aks-blockers'>, { run }: Pick<Court, 'run'>): RuleVerdict {
  const { aks_readiness: readiness } = run
  if (readiness === undefined) return undecided({ code: 'no_readiness' }, 'aks')
  if (readiness === null) return undecided({ code: 'readiness_not_said' }, 'aks')
  if (readiness.skipped) return undecided({ code: 'readiness_skipped' }, 'aks')
  const { blockers, blocker_count, status, label } = readiness
  const total = Math.max(blocker_count ?? 0, blockers.length)
  if (total <= allowed && blocker_count === null) return undecided({ code: 'blockers_not_counted' }, 'aks')
  if (total === 0 && !isReady([status, label].filter((word) => word !== null)))
    return undecided({ code: 'blockers_not_ready' }, 'aks')
  return { ...decided(total > allowed, { code: 'blockers', total, allowed }, blockers.map(toViolation)), total }
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
