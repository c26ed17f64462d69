import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { JsonReader } from '../../../util/json.ts'
import { readRecommendation } from '../../guidance.ts'
import { benchmarkSubject } from '../../ledger.ts'
import { notUnderstood, shown } from '../../not-run-text.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import { ScanCollector } from '../collector.ts'
import { type Count, contradictionFor } from '../reconcile.ts'
import { eachObject, notOf, object, toRows, type Values } from '../values.ts'

/** `WARN` marks a check that a person has to do, so its severity is unknown. */
const severities = new Map<string, FindingSeverity>([
  ['FAIL', 'high'],
  ['WARN', 'low'],
])

/**
 * `kube-bench --json`: an object with `Controls`; in older builds a list of controls, or a single one. Controls have groups
 * (`tests`), and groups have checks (`results`) with a `status`.
 */
export function readKubeBench(bytes: Uint8Array) {
  const collector = new ScanCollector('kube-bench')
  const reader = new JsonReader(bytes, 'The report')
  if (!readAll(reader, collector)) throw notOf('kube-bench', 'Controls')
  reader.end()
  return collector.finish({ clusterName: undefined, listsPassed: true })
}

/** Number of listed checks by status. */
type Listed = Record<'FAIL' | 'WARN' | 'PASS', number>

const nothing = (): Listed => ({ FAIL: 0, WARN: 0, PASS: 0 })

/** Returns false if there are no controls. */
function readAll(reader: JsonReader, collector: ScanCollector) {
  const listed = nothing()
  if (!reader.isObject()) return readList(reader, listed, collector)
  const head: Values = {}
  let found = false
  for (const key of reader.members()) {
    if (key === 'Controls') found = readList(reader, listed, collector)
    else head[key] = reader.value()
  }
  if (!found && Array.isArray(head.tests)) {
    readControls(head, listed, collector)
    return true
  }
  collector.gap(
    'Totals',
    strangeMember(head, rootShape) ??
      strangeMember(object(head.Totals), totalsShape) ??
      contradictionFor('the report', toCounts(object(head.Totals), listed, 'total_')),
  )
  return found
}

function readList(reader: JsonReader, listed: Listed, collector: ScanCollector) {
  if (!reader.isArray()) return false
  for (const controls of eachObject(reader, 'Controls')) readControls(controls, listed, collector)
  return true
}

const resultFields = 'test_number test_desc status actual_value remediation results'
const rootShape = shapeFor({ known: 'Controls Totals', rows: `${resultFields} tests` })
const totalsShape = shapeFor({ known: 'total_pass total_fail total_warn total_info' })
const controlsShape = shapeFor({
  known: 'id version detected_version text node_type type tests total_pass total_fail total_warn total_info',
  rows: resultFields,
})
const groupShape = shapeFor({ known: 'section type pass fail warn info desc results', rows: resultFields })
const resultShape = shapeFor({
  known:
    'test_number test_desc audit AuditEnv AuditConfig audit_env audit_config type remediation test_info status ' +
    'actual_value scored IsMultiple expected_result reason',
})

function readControls(controls: Values, all: Listed, collector: ScanCollector) {
  const listed = nothing()
  collector.subject(benchmarkSubject(string(controls.version) ?? '', string(controls.node_type) ?? ''))
  for (const group of toRows(controls.tests, 'Controls.tests')) {
    const category = string(group.desc) ?? string(controls.text) ?? ''
    // The output of the audit command contains processes and times, so it is no part of the identity. A test number can
    // repeat in another group, such as that of another node type.
    const identity = [controls.id, controls.node_type, group.section].map((part) => string(part) ?? '').join('\n')
    const own = nothing()
    for (const result of toRows(group.results, 'Controls.tests.results')) {
      const status = readResult(result, { category, identity }, collector)
      if (status !== undefined && status in own) own[status as keyof Listed]++
    }
    for (const status of statuses) listed[status] += own[status]
    collector.gap(`Group ${string(group.section) ?? category}`, gapFor(group, own), category)
  }
  for (const status of statuses) all[status] += listed[status]
  const name = string(controls.node_type) ?? string(controls.text) ?? ''
  const gap =
    controls.tests == null
      ? 'they have no tests'
      : (strangeMember(controls, controlsShape) ?? contradictionFor('it', toCounts(controls, listed, 'total_')))
  collector.gap(`Controls ${name}`, gap)
}

/** Returns the status of the check. */
function readResult(
  result: Values,
  { category, identity }: { category: string; identity: string },
  collector: ScanCollector,
) {
  const id = string(result.test_number) ?? string(result.test_desc) ?? 'without a number'
  const name = string(result.test_desc) ?? id
  const check = { id, name, category, recommendation: readRecommendation(result.remediation) }
  const status = string(result.status)?.toUpperCase()
  const severity = severities.get(status ?? '')
  const reason = string(result.reason)
  if (status === 'PASS') collector.passed(check, strangeMember(result, resultShape))
  else if (severity && !(status === 'WARN' && hasNoResult.test(reason ?? ''))) {
    const value = string(result.actual_value) ?? reason ?? null
    collector.finding(check, severity, { namespace: null, resource: null, message: name, value, identity })
  } else collector.notRun(check, reason ?? reasonFor(status, result.status))
  return status
}

function reasonFor(status: string | undefined, written: unknown) {
  if (status === 'INFO') return 'kube-bench gives information only'
  return notUnderstood(written === undefined ? 'it has no status' : `its status is ${shown(written)}`)
}

const statuses = ['FAIL', 'WARN', 'PASS'] as const
const nouns = { FAIL: 'failed tests', WARN: 'tests with warnings', PASS: 'passed tests' }

/** The report must not count more failed checks than it lists, nor fewer passed ones. */
const toCounts = (values: Values, listed: Listed, prefix = ''): Count[] =>
  statuses.map((status) => ({
    noun: nouns[status],
    counted: values[`${prefix}${status.toLowerCase()}`],
    listed: listed[status],
    isPassed: status === 'PASS',
  }))

/** Why a group may hide findings: the counts of kube-bench and the list disagree. */
function gapFor(group: Values, listed: Listed) {
  const gap = strangeMember(group, groupShape) ?? contradictionFor('it', toCounts(group, listed))
  if (gap !== undefined) return gap
  return group.results == null ? 'it has no results' : undefined
}

/** The audit had no usable output; a manual test has another reason. */
const hasNoResult = /failed to run|missing audit command|final output is <<empty>>|there are no tests|test_status/i
