import type { CheckAdvice } from '../contract/cluster-report.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import type { SaidRule } from '../views/gate-words.ts'

/** Remediation for findings that failed rules, from the report: each check once, in the order of the evidence. */
export function fixesFor({ guidance }: ReceivedRun, { rules }: { rules: SaidRule[] }): CheckAdvice[] {
  const advice = new Map((guidance ?? []).map((each) => [each.check_id, each]))
  const failed = rules.filter(({ verdict }) => verdict === 'failed').flatMap(({ evidence }) => evidence)
  const ids = new Set(failed.flatMap(({ kind, id }) => (kind === 'finding' ? [id] : [])))
  return [...ids].flatMap((id) => advice.get(id) ?? [])
}

/** One line: the recommendation, then the URL. */
export function fixText({ check_id, recommendation, url }: CheckAdvice) {
  return `Fix ${check_id}: ${[recommendation, url].filter((part) => part !== null).join(' ')}`
}
