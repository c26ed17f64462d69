import { nounFor } from '../../../util/words.ts'
import { shown } from '../../not-run-text.ts'
import { checkOfResource } from '../../place-check.ts'
import { stableResource } from '../../stable-name.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import type { AdvisedCheck, Place, ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { contradictionFor } from '../reconcile.ts'
import { number, object, objects, toRows, type Values } from '../values.ts'
import { readSeverity } from './severity.ts'

const category = 'Compliance'
const statusShape = shapeFor({
  known: 'summary updateTimestamp summaryReport detailReport',
  rows: 'id name severity totalFail checks checkID success',
})
const summaryShape = shapeFor({ known: 'failCount passCount' })
const controlShape = shapeFor({ known: 'id name severity totalFail description status checks' })
const checkShape = shapeFor({
  known: 'checkID target title description severity category messages remediation success',
})

/**
 * A benchmark such as those of the CIS: a `summaryReport` counts the failures of each control, a `detailReport` lists them.
 */
export function readCompliance(item: Values, collector: ScanCollector) {
  const [status, { compliance }] = [object(item.status), object(item.spec)]
  const name = string(object(item.metadata).name) ?? string(object(compliance).id) ?? 'benchmark'
  const place = { namespace: null, resource: `compliance/${name}` }
  const [summary, detail] = [object(status.summaryReport), object(status.detailReport)]
  const controls = [
    ...toRows(summary.controlCheck, 'items.status.summaryReport.controlCheck'),
    ...toRows(detail.results, 'items.status.detailReport.results'),
  ]
  if (controls.length === 0) {
    collector.notRun(checkOfResource(place, 'Coverage'), 'The report has no results yet.')
    return
  }
  collector.lookedAt()
  collector.part(category)
  const benchmark = string(summary.id) ?? string(detail.id) ?? name
  const outcomes = controls.map((control) => readControl(control, { benchmark, place }, collector))
  const manual = new Set(
    objects(object(compliance).controls).flatMap(({ id, checks }) => (objects(checks).length === 0 ? [id] : [])),
  )
  const counted = outcomes.filter((_, index) => !manual.has(controls[index]!.id))
  const expected = objects(object(compliance).controls).length - controls.length
  const gap = expected > 0 ? `it lacks ${expected} of its controls` : gapFor(status, counted)
  collector.gap(`${category} with ${name}`, gap, category)
}

interface NamedPlace extends Place {
  resource: string
}

type Outcome = 'failed' | 'passed' | 'unknown'

function readControl(
  control: Values,
  { benchmark, place }: { benchmark: string; place: NamedPlace },
  collector: ScanCollector,
) {
  const id = `${benchmark} ${string(control.id) ?? 'without an id'}`
  const check = { id, name: string(control.name) ?? id, category }
  const strange = strangeMember(control, controlShape)
  const isListed = control.checks != null
  const outcome = isListed
    ? readChecks(control, { check, place }, collector)
    : readTotal(control, { check, place }, collector)
  if (strange === undefined || outcome === 'unknown') return outcome
  collector.notUnderstood(check, strange)
  return outcome
}

interface Subject {
  check: AdvisedCheck
  place: NamedPlace
}

/** A control for manual review has no total. */
function readTotal({ severity, totalFail }: Values, { check, place }: Subject, collector: ScanCollector): Outcome {
  if (totalFail == null) {
    collector.notRun(check, 'The benchmark leaves this control to a person.')
    return 'unknown'
  }
  const total = number(totalFail)
  if (total === undefined || total < 0) {
    collector.notUnderstood(check, `its totalFail is ${shown(totalFail)}`)
    return 'unknown'
  }
  if (total === 0) {
    collector.check(check)
    return 'passed'
  }
  const message = `${total} ${nounFor(total, 'failure')} of this control`
  collector.finding(check, readSeverity(severity), { ...place, message, value: null, identity: '' })
  return 'failed'
}

/** The operator writes one check without an id if nothing failed, and also if nothing was checked. */
function readChecks(control: Values, { check, place }: Subject, collector: ScanCollector): Outcome {
  const rows = toRows(control.checks, 'items.status.detailReport.results.checks')
  const failed = rows.filter(({ success }) => success === false)
  const inRows = rows.map((row) =>
    typeof row.success === 'boolean' ? strangeMember(row, checkShape) : `its success is ${shown(row.success)}`,
  )
  const strange = inRows.find(Boolean)
  const duplicates = new DuplicateCounter()
  for (const row of failed) {
    const [checkId, title] = [string(row.checkID) ?? '', string(row.title)]
    const target = string(row.target) ?? ''
    const at = placeFor(target, place)
    const item = { ...at, message: title ?? check.name, value: checkId || null, identity: checkId }
    // Two ReplicaSets of one Deployment have the same place.
    const twin = duplicates.of(`${checkId}\n${at.namespace}/${stableResource(at.resource)}`, target)
    collector.finding(check, readSeverity(row.severity ?? control.severity), item, twin)
  }
  if (strange !== undefined) collector.notUnderstood(check, strange)
  if (failed.length > 0) return 'failed'
  const isUnchecked = rows.length === 0 || (isManual(control) && rows.every(({ checkID }) => !checkID))
  if (isUnchecked) collector.notRun(check, 'The benchmark leaves this control to a person.')
  if (isUnchecked || strange !== undefined) return 'unknown'
  collector.check(check)
  return 'passed'
}

/** A control without a result has the default status. */
const isManual = ({ name, status }: Values) =>
  /\(manual\)/i.test(string(name) ?? '') || ['FAIL', 'WARN'].includes(string(status)?.toUpperCase() ?? '')

const kinds =
  /^(pod|replicaset|replicationcontroller|statefulset|daemonset|cronjob|job|deployment|clusterrolebinding|clusterrole|rolebinding|role|service|configmap|ingress|networkpolicy|node)-(.+)$/

/** Parses `shop/replicaset-web-65cc8855c`; the first part is empty for a cluster-scoped resource. */
function placeFor(target: string, benchmark: NamedPlace) {
  const at = target.indexOf('/')
  const name = target.slice(at + 1)
  if (at < 0 || name === '') return benchmark
  const [, kind, object] = kinds.exec(name) ?? []
  return { namespace: target.slice(0, at) || null, resource: kind ? `${kind}/${object}` : `report/${name}` }
}

/** Totals count controls. One without a result may have failed, unless the benchmark has no check for it. */
function gapFor(status: Values, outcomes: Outcome[]) {
  const { failCount } = object(status.summary)
  const listed = outcomes.filter((outcome) => outcome !== 'passed').length
  return (
    strangeMember(status, statusShape) ??
    strangeMember(object(status.summary), summaryShape) ??
    contradictionFor('the summary', [{ noun: 'failed controls', counted: failCount, listed }])
  )
}
