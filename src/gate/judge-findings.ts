import { findingSeverities } from '../contract/choices.ts'
import type { ReceivedFinding } from '../contract/received/cluster-report.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'
import type { ListedFinding } from '../reports/list-findings.ts'
import { addExcepted, type ExceptionCounts, type Exceptions } from './exception.ts'
import type { FindingRuleKind, GateRule } from './rule.ts'
import { decided, plural, type RuleVerdict, undecided } from './rule-verdict.ts'
import { maxEvidence, type Violation, violationOfFinding } from './violation.ts'

type FindingRule = GateRule & { kind: FindingRuleKind }

const words = { new: 'new finding', regressed: 'regressed finding', findings: 'finding' }

/** Suppressed ones are those that an annotation in the cluster or an exception of the scanner suppresses. */
type JudgedFinding = ReceivedFinding & Pick<Partial<ListedFinding>, 'suppressed'>

/** Counts the findings at or above the rule's severity that no exception lets pass. */
export function judgeFindings(rule: FindingRule, findings: JudgedFinding[], exceptions: Exceptions) {
  const worst = findingSeverities.slice(0, findingSeverities.indexOf(rule.severity) + 1)
  /** Only the first of each severity are shown. */
  const shown = new Map<FindingSeverity, Violation[]>(worst.map((severity) => [severity, []]))
  let counted = 0
  let total = 0
  const exceptedBy: ExceptionCounts = { file: 0, server: 0 }
  let unrated = 0
  let suppressed = 0
  for (const finding of findings) {
    if (finding.severity === null && !exceptions.forFinding(finding)) unrated++
    const alike = finding.severity === null ? undefined : shown.get(finding.severity)
    if (!alike) continue
    if (finding.suppressed) {
      suppressed++
      continue
    }
    const count = rule.kind === 'findings' ? (finding.count ?? 1) : 1
    const exception = exceptions.forFinding(finding)
    if (exception) {
      addExcepted(exceptedBy, exception, count)
      continue
    }
    counted += count
    total++
    if (alike.length < maxEvidence) alike.push(violationOfFinding(finding))
  }
  const reason = `${plural(counted, words[rule.kind])} at or above ${rule.severity}; ${allowance(rule.allowed)}`
  const judged: RuleVerdict =
    unrated > 0 && counted <= rule.allowed
      ? undecided(`${reason}. The severity of ${unrated} more is unknown`)
      : decided(counted > rule.allowed, reason)
  const notes = suppressed > 0 ? [`${plural(suppressed, 'suppressed finding')} not counted`] : []
  return {
    ...judged,
    violations: [...shown.values()].flat().slice(0, maxEvidence),
    total,
    excepted: exceptedBy.file + exceptedBy.server,
    exceptedBy,
    notes,
  }
}

function allowance(allowed: number): string {
  return allowed === 0 ? 'none is allowed' : `${allowed} ${allowed === 1 ? 'is' : 'are'} allowed`
}
