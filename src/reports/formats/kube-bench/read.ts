import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { JsonReader } from '../../../util/json.ts'
import { readRecommendation } from '../../guidance.ts'
import { string } from '../../read.ts'
import type { Scan } from '../../scan.ts'
import { ScanCollector } from '../collector.ts'
import { eachObject, notOf, objects } from '../values.ts'

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

function readControls(controls: Record<string, unknown>, collector: ScanCollector): void {
  for (const group of objects(controls.tests)) {
    const category = string(group.desc) ?? string(controls.text) ?? ''
    // The output of the audit command contains processes and times, so it does not identify the finding. The number of a test
    // comes again in another group, such as that of another type of node.
    const identity = [controls.id, controls.node_type, group.section].map((part) => string(part) ?? '').join('\n')
    for (const result of objects(group.results)) {
      const id = string(result.test_number)
      if (!id) continue
      const name = string(result.test_desc) ?? id
      const check = { id, name, category, recommendation: readRecommendation(result.remediation) }
      const status = string(result.status)?.toUpperCase() ?? ''
      const severity = severities.get(status)
      const reason = string(result.reason)
      if (status === 'WARN' ? hasNoResult.test(reason ?? '') : status !== 'PASS' && !severity) {
        collector.notRun(
          check,
          reason ?? (status === 'INFO' ? 'kube-bench gives information only' : `status ${status}`),
        )
      } else if (severity) {
        const value = string(result.actual_value) ?? reason ?? null
        collector.finding(check, severity, { namespace: null, resource: null, message: name, value, identity })
      } else collector.check(check)
    }
  }
}

/** The audit gave nothing that could be judged; a test that is left to a person has another reason. */
const hasNoResult = /failed to run|missing audit command|final output is <<empty>>|there are no tests|test_status/i
