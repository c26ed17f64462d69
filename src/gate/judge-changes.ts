import type { FindingRuleKind, GateRule } from '../contract/gate-rule.ts'
import type { ReceivedComparison } from '../contract/received/cluster-report.ts'
import { count as plural } from '../util/words.ts'
import type { Exceptions } from './exception.ts'
import { judgeFindings } from './judge-findings.ts'
import type { Policy } from './policy.ts'
import { type RuleVerdict, undecided } from './rule-verdict.ts'

interface ChangeEvidence {
  comparison: ReceivedComparison
  exceptions: Exceptions
  policy: Policy
}

/**
 * Judges new and regressed findings. Findings in checks and namespaces that the earlier run excluded may be either: one that
 * no run had before may be new, and one that an older run had may be regressed.
 */
export function judgeChanges(
  rule: GateRule & { kind: FindingRuleKind },
  { comparison, exceptions, policy }: ChangeEvidence,
): RuleVerdict {
  const isNew = rule.kind === 'new'
  const came = changesUnder(rule.kind, comparison, policy)
  const court = { exceptions, unrated: policy.unrated }
  const judged = judgeFindings(rule, came, court)
  if (rule.kind === 'more') return judged
  const outside = (isNew ? comparison.first_seen_findings : comparison.back_in_scope_findings) ?? []
  // A template that had no pods before is looked at for the first time: that is news, and no change.
  const inNewScope = outside.filter(({ is_at_rest }) => !is_at_rest)
  const { newScope = 'undecided' } = policy
  if (inNewScope.length === 0 || newScope === 'pass') return judged
  const withAll = judgeFindings(rule, [...came, ...inNewScope], court)
  if (newScope === 'fail' || judged.verdict !== 'passed') return newScope === 'fail' ? withAll : judged
  if (withAll.verdict === 'passed') return judged
  const found = plural(withAll.total - judged.total, 'finding')
  const what = isNew ? 'first seen' : 'back in scope'
  const why = `${found} at or above ${rule.severity} ${what}: the earlier run left out their checks or namespaces`
  return { ...undecided(`${why}; set new_scope`), notes: [judged.reason, ...judged.notes] }
}

function changesUnder(kind: FindingRuleKind, comparison: ReceivedComparison, { events }: Policy) {
  const { new_findings, regressed_findings, changed_findings = [], event_findings = [] } = comparison
  if (kind === 'new') return events === 'count' ? [...new_findings, ...event_findings] : new_findings
  if (kind === 'regressed') return regressed_findings
  return [...regressed_findings, ...changed_findings].filter(
    ({ from, to }) => (to?.count ?? 0) > (from?.count ?? Infinity),
  )
}
