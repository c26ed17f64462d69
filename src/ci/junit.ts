import { XMLBuilder } from 'fast-xml-parser'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { pickSubject } from '../reports/run-subject.ts'
import { andMore } from '../util/words.ts'
import { isLetPass } from '../views/gate.ts'
import type { SaidGate, SaidRule } from '../views/gate-words.ts'
import { checksNotRun, unnamedText } from '../views/not-run.ts'
import { fixesFor, fixText } from './fixes.ts'
import type { CiReport } from './report.ts'
import { place, short } from './text.ts'

/**
 * One test case per rule: a failure has its evidence, an undecided rule is an error, and one that passed undecided is
 * skipped. Checks that did not run are skipped test cases in a separate suite, because only rules decide.
 */
export function renderJunit({ run, result }: CiReport) {
  const judged = result.rules.map((rule) => testCase(rule, run))
  const { testcase, '@_skipped': open, ...rules } = toSuite('relt gate', judged)
  const { '@_failures': failures, '@_errors': errors } = rules
  const skipped = skippedChecks(run)
  const others = [...(skipped.length > 0 ? [toSuite('relt checks', skipped)] : [])]
  const sumOf = (count: '@_tests' | '@_skipped') => others.reduce((sum, suite) => sum + suite[count], 0)
  const showSkipped = (many: number) => many > 0 && { '@_skipped': many }
  return buildXml({
    '@_tests': judged.length + sumOf('@_tests'),
    '@_failures': failures,
    '@_errors': errors,
    ...showSkipped(open + sumOf('@_skipped')),
    testsuite: [{ ...rules, ...showSkipped(open), properties: toProperties(result), testcase }, ...others],
  })
}

/** Properties with the cluster, the run and its age. */
function toProperties(result: SaidGate) {
  const known = Object.entries(pickSubject(result)).filter(([, value]) => value !== null)
  return { property: known.map(([name, value]) => ({ '@_name': name, '@_value': short(String(value), 300) })) }
}

/** A suite of test cases, with their counts. */
function toSuite(name: string, testcase: object[]) {
  const count = (kind: 'failure' | 'error' | 'skipped') => testcase.filter((one) => kind in one).length
  return {
    '@_name': name,
    '@_tests': testcase.length,
    '@_failures': count('failure'),
    '@_errors': count('error'),
    '@_skipped': count('skipped'),
    testcase,
  }
}

function buildXml(testsuites: object) {
  const builder = new XMLBuilder({ ignoreAttributes: false, format: true, suppressEmptyNode: true })
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    testsuites: { '@_name': 'relt', ...testsuites },
  })
}

function skippedChecks(run: ReceivedRun) {
  const { named, unnamed } = checksNotRun(run)
  const skip = (name: string, reason: string) => ({
    '@_classname': 'relt.checks',
    '@_name': short(name, 300),
    skipped: { '@_message': short(reason, 500) },
  })
  return [
    ...named.map(({ check_id, name, reason }) => skip(`${check_id} ${name}`, reason)),
    ...(unnamed > 0 ? [skip(unnamedText(unnamed), 'The server does not report their names')] : []),
  ]
}

function testCase(rule: SaidRule, run: ReceivedRun) {
  const about = { '@_message': short(rule.reason, 500), '#text': toEvidence(rule, run) }
  return {
    '@_classname': 'relt.gate',
    '@_name': rule.rule,
    ...(rule.verdict === 'failed' && { failure: { '@_type': 'gate_failed', ...about } }),
    ...(isLetPass(rule) && { skipped: { '@_message': short(`${rule.reason}. ${rule.allowed_unknown}`, 500) } }),
    ...(rule.verdict === 'undecided' && { error: { '@_type': 'gate_undecided', ...about } }),
  }
}

function toEvidence(rule: SaidRule, run: ReceivedRun) {
  const { reason, evidence, evidence_total, notes } = rule
  const fixes = fixesFor(run, { rules: [rule] }).map(fixText)
  const lines = evidence.map((each) => `${each.severity ?? '-'} ${each.id} ${place(each)}: ${each.message}`)
  const more = evidence_total - evidence.length
  return [reason, ...notes, ...lines, ...(more > 0 ? [andMore(more)] : []), ...fixes]
    .map((line) => short(line, 500))
    .join('\n')
}
