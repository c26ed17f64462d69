import type { IncomparableFindings } from '../contract/cluster-report.ts'
import type { ReceivedComparison } from '../contract/received/cluster-report.ts'
import { listed, count as plural } from '../util/words.ts'

const reasonWords: Record<IncomparableFindings['reason'], string> = {
  check_not_run: 'of checks that did not run',
  check_not_in_scope: 'of checks out of scope',
  check_withdrawn: 'of checks that the scanner has withdrawn',
  subject_not_in_run: 'of images, folders or tools that one scan is not about',
  part_not_in_run: 'of kinds of checks that one scan did not look at',
  namespace_not_in_scope: 'in namespaces out of scope',
  another_scanner: 'from another scanner',
  not_listed: 'that the report counts but does not list',
  report_missing: 'of workloads without a report now',
  another_check: 'of checks that share an id with others',
  takes_turns: 'of checks that take turns under one id',
}

/** Trivy leaves a class out of its report both when it found nothing and when it was not asked. */
const howToState =
  '; Trivy does not say whether it looked: name what it looked at by --looked-at vuln,secret, or by looked_at in the policy'

/** `12 findings are not compared: 7 of checks that did not run (PROM001), 5 in namespaces out of scope`. */
export function incomparableNote({
  incomparable_findings_count: count,
  incomparable_findings,
  to,
}: ReceivedComparison): string[] {
  if (!count) return []
  const groups = incomparable_findings ?? []
  const byReason = Map.groupBy(groups, ({ reason }) => reason)
  const parts = [...byReason].map(([reason, own]) => {
    const ids = [...new Set(own.map(({ check_id }) => check_id))]
    const sum = own.reduce((total, group) => total + group.count, 0)
    return `${sum} ${reasonWords[reason]}${reason === 'check_not_run' || reason === 'check_not_in_scope' ? ` (${listed(ids)})` : ''}`
  })
  const why = parts.length > 0 ? parts.join(', ') : 'the scope of the scan differs'
  const isSilent = to?.format === 'trivy' && byReason.has('part_not_in_run')
  return [`${plural(count, 'finding')} ${count === 1 ? 'is' : 'are'} not compared: ${why}${isSilent ? howToState : ''}`]
}
