import { XMLBuilder } from 'fast-xml-parser'
import type { GateResult, RuleResult } from '../gate/evaluate.ts'
import { place, short } from './text.ts'

/** A test case for each rule: a failure has its evidence, what is undecided is an error. */
export function renderJunit(result: GateResult): string {
  const count = (verdict: string) => result.rules.filter((rule) => rule.verdict === verdict).length
  const counts = { '@_tests': result.rules.length, '@_failures': count('failed'), '@_errors': count('undecided') }
  const builder = new XMLBuilder({ ignoreAttributes: false, format: true, suppressEmptyNode: true })
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    testsuites: {
      '@_name': 'relt',
      ...counts,
      testsuite: { '@_name': 'relt gate', ...counts, testcase: result.rules.map(testCase) },
    },
  })
}

function testCase(rule: RuleResult) {
  const about = { '@_message': short(rule.reason, 500), '#text': evidenceOf(rule) }
  return {
    '@_classname': 'relt.gate',
    '@_name': rule.rule,
    ...(rule.verdict === 'failed' && { failure: { '@_type': 'gate_failed', ...about } }),
    ...(rule.verdict === 'undecided' && { error: { '@_type': 'gate_undecided', ...about } }),
  }
}

function evidenceOf({ reason, evidence, evidence_total, notes }: RuleResult): string {
  const lines = evidence.map((each) => `${each.severity ?? '-'} ${each.id} ${place(each)}: ${each.message}`)
  const more = evidence_total - evidence.length
  return [reason, ...notes, ...lines, ...(more > 0 ? [`and ${more} more`] : [])]
    .map((line) => short(line, 500))
    .join('\n')
}
