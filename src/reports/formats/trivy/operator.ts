import { findingSeverities } from '../../../contract/choices.ts'
import { readRecommendation, readUrl } from '../../guidance.ts'
import type { Item } from '../../item.ts'
import { shown } from '../../not-run-text.ts'
import type { WorkloadPlace } from '../../place-sets.ts'
import { stableValue } from '../../stable-text.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string, strings } from '../../text.ts'
import { workloadsFor } from '../collected-workloads.ts'
import type { AdvisedCheck, Place, Rating, ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { toIdentity } from '../item-text.ts'
import { contradictionBySeverity } from '../reconcile.ts'
import { number, object, toResource, toRows, type Values } from '../values.ts'
import { readCompliance } from './compliance.ts'
import { toOperatorKind } from './operator-kind.ts'
import { toOperatorPlace } from './operator-place.ts'
import { describePackage } from './result.ts'
import { readSeverity } from './severity.ts'
import { outOfSupport, systemCheck } from './system.ts'

/** Reads a report of one of the kinds that `toOperatorKind` knows. */
export function readOperatorReport(item: Values, collector: ScanCollector) {
  const kindOfReport = toOperatorKind(item)!
  if (kindOfReport === 'ComplianceReport') {
    readCompliance(item, collector)
    return
  }
  const { namespace = null, kind, name, container = null } = toOperatorPlace(item)
  collector.lookedAt()
  collector.inNamespace(namespace)
  const place = { namespace, resource: toResource(kind, name) }
  collector.node(place.resource, true)
  const workloads = workloadsFor(item)
  const report = object(item.report)
  const image = toImage(report)
  // A finding about all workloads of an image is not about one container.
  const ownContainer = workloads ? '' : (container ?? '')
  const where = { place, container, ownContainer, workloads, duplicates: new DuplicateCounter(), image }
  if (image) for (const each of workloads ?? [place]) collector.image(image, each)
  const { name: category, list, read } = listsOfKinds[kindOfReport]
  collector.part(category)
  if (category === 'Vulnerability') {
    collector.part(systemCheck.category)
    collector.vulnerabilityScan()
  }
  const rows = toRows(report[list], `items.report.${list}`)
  readSystem(report, where, collector)
  read(rows, where, collector)
  const gap = gapFor(report, list, rows)
  collector.gap(`${category} of ${place.resource ?? image ?? 'a resource'}`, gap, category)
  if (gap !== undefined) return
  for (const each of workloads ?? [{ ...place, container }]) collector.reported(category, each)
}

function readSystem({ os }: Values, context: OperatorContext, collector: ScanCollector) {
  const { family, name, eosl } = object(os)
  const system = outOfSupport({ family, name, eosl })
  if (!system) return
  const { container, ownContainer } = context
  const identity = `${system.family}\n${ownContainer}`
  toAdder(context, collector)(systemCheck, 'high', { message: system.message, value: container, identity }, 0)
}

/** Kind of report → member with its list of findings. */
const listsOfKinds = {
  VulnerabilityReport: { name: 'Vulnerability', list: 'vulnerabilities', read: readVulnerabilities },
  ExposedSecretReport: { name: 'Secret', list: 'secrets', read: readSecrets },
  ConfigAuditReport: { name: 'Misconfiguration', list: 'checks', read: readChecks },
  RbacAssessmentReport: { name: 'Misconfiguration', list: 'checks', read: readChecks },
  InfraAssessmentReport: { name: 'Misconfiguration', list: 'checks', read: readChecks },
} as const

const counters = findingSeverities.filter((severity) => severity !== 'info')

/** Why a report may hide findings: the operator's summary counts more than the report lists. */
function gapFor(report: Values, list: string, rows: Values[]) {
  const strange = strangeMember(report, reportShape)
  if (strange !== undefined) return strange
  const summary = object(report.summary)
  const counted = counters.map((word): [string, unknown] => [word, summary[`${word}Count`]])
  const gap = contradictionBySeverity('the summary', counted, listedBySeverity(rows))
  const unknown = gap ?? strangeMember(summary, summaryShape)
  if (unknown !== undefined) return unknown
  const isCounted = counted.some(([, count]) => number(count) !== undefined)
  return isCounted || rows.length > 0 ? undefined : `it has neither ${list} nor a summary`
}

/** Number of failed rows by severity. A row with an unknown word may have any severity. */
function listedBySeverity(rows: Values[]) {
  const listed = counters.map(() => 0)
  for (const { severity, success } of rows) {
    if (success !== undefined && !isFalse(success)) continue
    listed[Math.max(0, counters.indexOf(string(severity)?.toLowerCase() as (typeof counters)[number]))]!++
  }
  return listed
}

const isFalse = (value: unknown) => value === false || string(value)?.toLowerCase() === 'false'

const reportShape = shapeFor({
  known: 'updateTimestamp registry artifact os scanner summary vulnerabilities secrets checks',
  rows: 'vulnerabilityID installedVersion severity title checkID success ruleID category',
})

const summaryShape = shapeFor({
  known: 'criticalCount highCount mediumCount lowCount unknownCount noneCount passCount failCount',
})

const checkShape = shapeFor({ known: 'checkID title description severity category messages remediation success scope' })

interface OperatorContext {
  place: Place
  container: string | null
  ownContainer: string
  /** Workloads in a report that relt collected. */
  workloads: WorkloadPlace[] | undefined
  duplicates: DuplicateCounter
  image: string | undefined
}

function readVulnerabilities(rows: Values[], context: OperatorContext, collector: ScanCollector) {
  const { container, ownContainer, duplicates, image } = context
  const add = toAdder(context, collector)
  for (const row of rows) {
    const id = string(row.vulnerabilityID) ?? string(row.title) ?? 'without an id'
    const pkg = string(row.resource) ?? ''
    const identity = [pkg, string(row.packagePath) ?? string(row.target) ?? '', ownContainer].join('\n')
    const twin = duplicates.of(`${id}\n${identity}`, JSON.stringify([row.installedVersion, row.packagePURL]))
    const info = { id, name: string(row.title) ?? id, category: 'Vulnerability', url: readUrl(row.primaryLink) }
    const message = describePackage(pkg, row.installedVersion, row.fixedVersion)
    add(info, readSeverity(row.severity), { message, value: container, identity }, twin)
    if (image !== undefined) collector.imageAdvisory(image, id)
  }
}

/** Returns a function that adds findings about an image: one for all its workloads if they are known. */
function toAdder({ place, workloads, image }: OperatorContext, collector: ScanCollector) {
  if (!workloads) {
    return (info: AdvisedCheck, rating: Rating, item: Found, twin: number) =>
      collector.finding(info, rating, { ...place, ...item }, twin)
  }
  const group = collector.group(workloads)
  const resource = `image/${stableValue(image ?? '')}`
  return (info: AdvisedCheck, rating: Rating, item: Found, twin: number) =>
    collector.sharedFinding(info, rating, { namespace: null, resource, ...item }, { group, twin })
}

type Found = Omit<Item, keyof Place>

/** Leaves out the match, because it contains the secret. */
function readSecrets(rows: Values[], context: OperatorContext, collector: ScanCollector) {
  const { container, ownContainer, duplicates } = context
  const add = toAdder(context, collector)
  for (const row of rows) {
    const id = string(row.ruleID) ?? string(row.title) ?? 'without an id'
    const info = { id, name: string(row.title) ?? id, category: 'Secret' }
    const target = string(row.target) ?? ''
    const identity = [target, ownContainer].join('\n')
    const twin = duplicates.of(`${id}\n${identity}`, string(row.match) ?? '')
    add(info, readSeverity(row.severity), { message: info.name, value: target || container, identity }, twin)
  }
}

function toImage(report: Values) {
  const { repository, tag, digest } = object(report.artifact)
  const name = string(repository)
  if (!name) return undefined
  const server = string(object(report.registry).server)
  const version = string(tag) ? `:${string(tag)}` : string(digest) ? `@${string(digest)}` : ''
  return `${server ? `${server}/` : ''}${name}${version}`
}

/** Reads the checks of configuration audits and of RBAC and infrastructure assessments, which share one format. */
function readChecks(rows: Values[], context: OperatorContext, collector: ScanCollector) {
  const { place, duplicates, workloads } = context
  const [workload] = workloads ?? []
  for (const row of rows) {
    const id = string(row.checkID) ?? string(row.title) ?? 'without an id'
    const recommendation = readRecommendation(row.remediation)
    const check = { id, name: string(row.title) ?? id, category: 'Misconfiguration', recommendation }
    const messages = strings(row.messages)
    if (row.success === true) {
      collector.passed(check, strangeMember(row, checkShape))
      continue
    }
    if (row.success !== undefined && !isFalse(row.success)) {
      collector.notUnderstood(check, `its success is ${shown(row.success)}`)
      continue
    }
    const message = messages.join(' ') || check.name
    const item = { ...place, message, value: null }
    const identity = toIdentity(item)
    const twin = duplicates.of(`${id}\n${identity}`, message)
    // The place is the workload's; the message names the object that the operator checked.
    const of = workload && { namespace: workload.namespace || null, resource: workload.resource, identity }
    collector.finding(check, readSeverity(row.severity), { ...item, ...of }, twin)
  }
}
