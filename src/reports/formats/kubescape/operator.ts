import { ratedSeverities } from '../../../contract/choices.ts'
import { nounFor } from '../../../util/words.ts'
import { checkOfResource } from '../../place-check.ts'
import { string } from '../../text.ts'
import { workloadsFor } from '../collected-workloads.ts'
import { type Place, type ScanCollector, unrated } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { membersFor, number, object, type Values } from '../values.ts'
import { doubtOfResource, failedPaths, isException, severityOfFactor, skipReason, statusFor } from './control.ts'
import { readManifest } from './manifest.ts'
import { toKubescapeKind } from './operator-kind.ts'
import { toKubescapePlace } from './operator-place.ts'

/** Reads a report of one of the kinds that `toKubescapeKind` knows. */
export function readKubescapeObject(item: Values, collector: ScanCollector) {
  if (toKubescapeKind(item) === 'VulnerabilityManifest') {
    readManifest(item, collector)
    return
  }
  const { namespace = null, kind, name, container = null } = toKubescapePlace(item)
  const [workload] = workloadsFor(item) ?? []
  const own = { namespace, resource: name ? `${(kind ?? 'workload').toLowerCase()}/${name}` : null }
  const place = workload ? { namespace: workload.namespace || null, resource: workload.resource } : own
  const isSummary = toKubescapeKind(item) === 'VulnerabilityManifestSummary'
  collector.part(isSummary ? 'Vulnerability' : '')
  collector.inNamespace(place.namespace)
  const isRead = isSummary
    ? readSummary(item, { ...place, container }, collector)
    : readControls(item, place, collector)
  // Kubescape's storage omits `spec` from lists unless asked with `resourceVersion=fullSpec`.
  if (!isRead) collector.notRun(checkOfResource(place, 'Coverage'), 'The list has no spec of this report.')
  else collector.reported(isSummary ? 'Vulnerability' : '', { ...place, container: isSummary ? container : null })
}

function readControls({ spec }: Values, place: Place, collector: ScanCollector) {
  const controls = membersFor(object(spec).controls, 'items.spec.controls')
  const duplicates = new DuplicateCounter()
  for (const [key, control] of controls) {
    const id = string(control.controlID) ?? key
    const severity = severityOfFactor(number(object(control.severity).scoreFactor))
    const check = { id, name: string(control.name) ?? id, category: '' }
    const status = statusFor(control.status)
    const reason = skipReason(status)
    if (reason !== undefined) collector.notRun(check, reason)
    else collector.passed(check, status.status === 'failed' ? undefined : doubtOfResource(control))
    if (status.status !== 'failed' && !isException(status)) continue
    const item = { ...place, message: check.name, value: failedPaths(control).join(', ') || null }
    const twin = duplicates.of(id, item.value ?? '')
    if (isException(status)) collector.suppressed(check, severity, item, { reason: undefined, until: undefined }, twin)
    else collector.finding(check, severity, item, twin)
  }
  if (controls.length > 0) collector.lookedAt()
  return controls.length > 0
}

/** Reads the number of vulnerabilities by severity; the report names none of them. Unrated ones count as negligible. */
function readSummary(
  { metadata, spec }: Values,
  { container, ...place }: Place & { container: string | null },
  collector: ScanCollector,
) {
  const severities = object(object(spec).severities)
  const toNumber = (name: string) => {
    const count = number(object(severities[name]).all)
    return count !== undefined && count >= 0 ? count : undefined
  }
  const missing = ['critical', 'high', 'medium', 'low', 'negligible', 'unknown'].filter(
    (name) => toNumber(name) === undefined,
  )
  if (missing.length === 6) return false
  collector.lookedAt()
  let isNamed = true
  const { annotations } = object(metadata)
  const image = string(object(annotations)['kubescape.io/image-tag'])
  if (image) collector.image(image, place)
  for (const severity of ratedSeverities) {
    const unknown = severity === 'info' ? (toNumber('unknown') ?? 0) : 0
    const count = (toNumber(severity === 'info' ? 'negligible' : severity) ?? 0) + unknown
    const word = severity === 'info' ? 'negligible or unknown' : severity
    const name = `Vulnerabilities of ${word} severity in an image`
    const check = { id: `vulnerabilities-${severity}`, name, category: 'Vulnerability' }
    if (missing.includes(severity)) collector.notUnderstood(check, `the summary has no number of ${severity}`)
    collector.check(check)
    if (count === 0) continue
    isNamed = false
    const message = `${count} ${nounFor(count, 'vulnerability', 'vulnerabilities')} of ${word} severity`
    const item = { ...place, message, value: container, identity: container ?? '' }
    collector.finding(check, unknown > 0 ? unrated(severity) : severity, item)
  }
  if (isNamed) collector.vulnerabilityScan()
  else collector.unnamedVulnerabilities()
  return true
}
