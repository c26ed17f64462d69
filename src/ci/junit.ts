import { XMLBuilder } from 'fast-xml-parser'
import type { ReceivedFreshness, ReceivedRun } from '../contract/received/cluster-report.ts'
import type { GateResult, RuleResult } from '../gate/evaluate.ts'
import { andMore } from '../util/words.ts'
import { isLetPass } from '../views/gate.ts'
import { checksNotRun, unnamedText } from '../views/not-run.ts'
import { pickSubject } from '../views/scan.ts'
import { advisorySuite } from './advisory-cases.ts'
import { fixesFor, fixText } from './fixes.ts'
import type { CiReport } from './report.ts'
import { place, short } from './text.ts'

/**
 * One test case per rule: a failure has its evidence, an undecided rule is an error, and one that passed undecided is
 * skipped. Checks that did not run, and artifacts that an advisory affects, are skipped test cases in separate suites,
 * because only rules decide.
 */
export function renderJunit({ run, result, freshness }: Pick<CiReport, 'run' | 'result' | 'freshness'>): string {
  const count = (verdict: string) => result.rules.filter((rule) => rule.verdict === verdict).length
  const verdicts = { '@_failures': count('failed'), '@_errors': count('undecided') }
  const open = result.rules.filter(isLetPass).length
  const rules = {
    '@_name': 'relt gate',
    '@_tests': result.rules.length,
    ...verdicts,
    ...(open > 0 && { '@_skipped': open }),
    properties: toProperties(result),
  }
  const skipped = skippedChecks(run)
  const checks = { '@_tests': skipped.length, '@_failures': 0, '@_errors': 0, '@_skipped': skipped.length }
  const advisories = freshness && advisorySuite(freshness, 'skipped')
  const allSkipped = open + skipped.length + (advisories?.['@_skipped'] ?? 0)
  return buildXml({
    '@_tests': result.rules.length + skipped.length + (advisories?.['@_tests'] ?? 0),
    ...verdicts,
    ...(allSkipped > 0 && { '@_skipped': allSkipped }),
    testsuite: [
      { ...rules, testcase: result.rules.map((rule) => testCase(rule, run)) },
      ...(skipped.length > 0 ? [{ '@_name': 'relt checks', ...checks, testcase: skipped }] : []),
      ...(advisories ? [advisories] : []),
    ],
  })
}

/** Properties with the cluster, the run and its age. */
function toProperties(result: GateResult) {
  const known = Object.entries(pickSubject(result)).filter(([, value]) => value !== null)
  return { property: known.map(([name, value]) => ({ '@_name': name, '@_value': short(String(value), 300) })) }
}

/** One test case per artifact of a run, which fails if an advisory affects it. */
export function renderAdvisoryJunit(freshness: Pick<ReceivedFreshness, 'items'>): string {
  const { '@_name': name, testcase, ...counts } = advisorySuite(freshness, 'failure')
  return buildXml({ ...counts, testsuite: [{ '@_name': name, ...counts, testcase }] })
}

function buildXml(testsuites: object): string {
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

function testCase(rule: RuleResult, run: ReceivedRun) {
  const about = { '@_message': short(rule.reason, 500), '#text': toEvidence(rule, run) }
  return {
    '@_classname': 'relt.gate',
    '@_name': rule.rule,
    ...(rule.verdict === 'failed' && { failure: { '@_type': 'gate_failed', ...about } }),
    ...(isLetPass(rule) && { skipped: { '@_message': about['@_message'] } }),
    ...(rule.verdict === 'undecided' && { error: { '@_type': 'gate_undecided', ...about } }),
  }
}

function toEvidence(rule: RuleResult, run: ReceivedRun): string {
  const { reason, evidence, evidence_total, notes } = rule
  const fixes = fixesFor(run, { rules: [rule] }).map(fixText)
  const lines = evidence.map((each) => `${each.severity ?? '-'} ${each.id} ${place(each)}: ${each.message}`)
  const more = evidence_total - evidence.length
  return [reason, ...notes, ...lines, ...(more > 0 ? [andMore(more)] : []), ...fixes]
    .map((line) => short(line, 500))
    .join('\n')
}
