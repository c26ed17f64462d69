import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { JsonReader } from '../../../util/json.ts'
import { readRecommendation } from '../../guidance.ts'
import { notUnderstood, shown } from '../../not-run-text.ts'
import type { Scan } from '../../scan.ts'
import { string } from '../../text.ts'
import { ScanCollector } from '../collector.ts'
import { eachObject, notOf, number, rowsOf } from '../values.ts'

type Values = Record<string, unknown>

/** A `WARN` is a check that kube-bench leaves to a person, so its result is unknown. */
const severities = new Map<string, FindingSeverity>([
  ['FAIL', 'high'],
  ['WARN', 'low'],
])

/**
 * `kube-bench --json`: an object with `Controls`; of older builds the list of controls, or a single one. Controls have
 * groups (`tests`), these have checks (`results`) with a `status`.
 */
export function readKubeBench(bytes: Uint8Array): Scan {
  const collector = new ScanCollector('kube-bench')
  const reader = new JsonReader(bytes, 'The report')
  if (!readAll(reader, collector)) throw notOf('kube-bench', 'Controls')
  reader.end()
  return collector.finish({ clusterName: undefined, listsPassed: true })
}

/** False when there are no controls. */
function readAll(reader: JsonReader, collector: ScanCollector): boolean {
  if (!reader.isObject()) return readList(reader, collector)
  const single: Record<string, unknown> = {}
  let found = false
  for (const key of reader.members()) {
    if (key === 'Controls') found = readList(reader, collector)
    else single[key] = reader.value()
  }
  if (!found && Array.isArray(single.tests)) {
    readControls(single, collector)
    return true
  }
  return found
}

function readList(reader: JsonReader, collector: ScanCollector): boolean {
  if (!reader.isArray()) return false
  for (const controls of eachObject(reader, 'Controls')) readControls(controls, collector)
  return true
}

function readControls(controls: Values, collector: ScanCollector): void {
  let allFailed = 0
  for (const group of rowsOf(controls.tests, 'Controls.tests')) {
    const category = string(group.desc) ?? string(controls.text) ?? ''
    // The output of the audit command contains processes and times, so it does not identify the finding. The number of a test
    // comes again in another group, such as that of another type of node.
    const identity = [controls.id, controls.node_type, group.section].map((part) => string(part) ?? '').join('\n')
    const results = rowsOf(group.results, 'Controls.tests.results')
    const failed = results.filter((result) => readResult(result, { category, identity }, collector)).length
    allFailed += failed
    const gap = gapOf(group, failed)
    if (gap !== undefined) collector.gap(`Group ${string(group.section) ?? category}`, gap, category)
  }
  const name = string(controls.node_type) ?? string(controls.text) ?? ''
  const counted = number(controls.total_fail) ?? 0
  if (controls.tests === undefined || controls.tests === null) collector.gap(`Controls ${name}`, 'they have no tests')
  else if (counted > allFailed) {
    collector.gap(`Controls ${name}`, `they count ${counted} failed tests, and ${allFailed} are listed`)
  }
}

/** Returns whether the check failed. */
function readResult(result: Values, { category, identity }: Group, collector: ScanCollector): boolean {
  const id = string(result.test_number) ?? string(result.test_desc) ?? 'without a number'
  const name = string(result.test_desc) ?? id
  const check = { id, name, category, recommendation: readRecommendation(result.remediation) }
  const status = string(result.status)?.toUpperCase()
  const severity = severities.get(status ?? '')
  const reason = string(result.reason)
  if (status === 'PASS') collector.check(check)
  else if (severity && !(status === 'WARN' && hasNoResult.test(reason ?? ''))) {
    const value = string(result.actual_value) ?? reason ?? null
    collector.finding(check, severity, { namespace: null, resource: null, message: name, value, identity })
  } else collector.notRun(check, reason ?? reasonOf(status, result.status))
  return status === 'FAIL'
}

interface Group {
  category: string
  identity: string
}

function reasonOf(status: string | undefined, written: unknown): string {
  if (status === 'INFO') return 'kube-bench gives information only'
  return notUnderstood(written === undefined ? 'it has no status' : `its status is ${shown(written)}`)
}

/** Why a group may hide findings: kube-bench counts in it what it lists. */
function gapOf(group: Values, failed: number): string | undefined {
  const counted = number(group.fail) ?? 0
  if (counted > failed) return `it counts ${counted} failed tests, and ${failed} are listed`
  return group.results === undefined || group.results === null ? 'it has no results' : undefined
}

/** The audit gave nothing that could be judged; a test that is left to a person has another reason. */
const hasNoResult = /failed to run|missing audit command|final output is <<empty>>|there are no tests|test_status/i
