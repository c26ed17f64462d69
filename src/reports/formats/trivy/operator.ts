import { readRecommendation, readUrl } from '../../guidance.ts'
import { shown } from '../../not-run-text.ts'
import { string, strings } from '../../text.ts'
import { identityOf, type Place, type ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { strayRows } from '../stray.ts'
import { number, object, objects, rowsOf } from '../values.ts'
import { operatorKindOf } from './operator-kind.ts'
import { describePackage } from './result.ts'
import { readSeverity } from './severity.ts'

type Values = Record<string, unknown>

const label = (labels: Values, name: string) => string(labels[`trivy-operator.${name}`])

/** A report of one of the kinds that `operatorKindOf` knows. */
export function readOperatorReport(item: Values, collector: ScanCollector): void {
  collector.lookedAt()
  const metadata = object(item.metadata)
  const labels = object(metadata.labels)
  const place = {
    namespace: label(labels, 'resource.namespace') ?? string(metadata.namespace) ?? null,
    resource: resourceOf(item),
  }
  const report = object(item.report)
  const image = imageOf(report)
  const container = label(labels, 'container.name') ?? null
  const where = { place, container, duplicates: new DuplicateCounter(), image }
  if (image) collector.image(image, place)
  const { name, list, read } = listsOfKinds[operatorKindOf(item)!]
  const rows = rowsOf(report[list], `items.report.${list}`)
  const failed = read(rows, where, collector)
  const gap = gapOf(report, { list, listed: failed, rows: rows.length })
  if (gap !== undefined) collector.gap(`${name} of ${place.resource ?? 'a resource'}`, gap, name)
}

/** The list of each kind of report. */
const listsOfKinds = {
  VulnerabilityReport: { name: 'Vulnerability', list: 'vulnerabilities', read: readVulnerabilities },
  ExposedSecretReport: { name: 'Secret', list: 'secrets', read: readSecrets },
  ConfigAuditReport: { name: 'Misconfiguration', list: 'checks', read: readChecks },
  RbacAssessmentReport: { name: 'Misconfiguration', list: 'checks', read: readChecks },
  InfraAssessmentReport: { name: 'Misconfiguration', list: 'checks', read: readChecks },
} as const

const counters = ['criticalCount', 'highCount', 'mediumCount', 'lowCount', 'unknownCount']

/** Why a report may hide findings: the operator counts in its summary what it lists. */
function gapOf(
  report: Values,
  { list, listed, rows }: { list: string; listed: number; rows: number },
): string | undefined {
  const stray = strayRows(report, new Set([list, 'vulnerabilities', 'secrets', 'checks']), rowFields)
  if (stray !== undefined) return `the unknown member ${shown(stray)} has rows`
  const counts = counters.map((name) => number(object(report.summary)[name]))
  const counted = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  if (counted > listed) return `the summary counts ${counted}, and ${listed} are listed`
  const isCounted = counts.some((count) => count !== undefined)
  return isCounted || rows > 0 ? undefined : `it has neither ${list} nor a summary`
}

const rowFields = [
  'vulnerabilityID',
  'installedVersion',
  'severity',
  'title',
  'checkID',
  'success',
  'ruleID',
  'category',
]

/** A name that is not a valid label is in an annotation. */
function resourceOf(item: Values): string | null {
  const { labels, annotations, ownerReferences, name: own } = object(item.metadata)
  const [owner] = objects(ownerReferences)
  const kind = label(object(labels), 'resource.kind') ?? string(owner?.kind) ?? string(item.kind)
  const name =
    label(object(labels), 'resource.name') ??
    label(object(annotations), 'resource.name') ??
    string(owner?.name) ??
    string(own)
  return kind && name ? `${kind.toLowerCase()}/${name}` : null
}

interface OperatorContext {
  place: Place
  container: string | null
  duplicates: DuplicateCounter
  image: string | undefined
}

function readVulnerabilities(
  rows: Values[],
  { place, container, duplicates, image }: OperatorContext,
  collector: ScanCollector,
): number {
  for (const row of rows) {
    const id = string(row.vulnerabilityID) ?? string(row.title) ?? 'without an id'
    const pkg = string(row.resource) ?? ''
    const path = string(row.packagePath) ?? string(row.target) ?? ''
    const identity = [pkg, path, container ?? ''].join('\n')
    const twin = duplicates.of(`${id}\n${identity}`, JSON.stringify([row.installedVersion, row.packagePURL]))
    const url = readUrl(row.primaryLink)
    const info = { id, name: string(row.title) ?? id, category: 'Vulnerability', url }
    const message = describePackage(pkg, row.installedVersion, row.fixedVersion)
    collector.finding(info, readSeverity(row.severity), { ...place, message, value: container, identity }, twin)
    if (image !== undefined) collector.imageAdvisory(image, id)
  }
  return rows.length
}

/** The match is left out, because it is a secret. */
function readSecrets(
  rows: Values[],
  { place, container, duplicates }: OperatorContext,
  collector: ScanCollector,
): number {
  for (const row of rows) {
    const id = string(row.ruleID) ?? string(row.title) ?? 'without an id'
    const info = { id, name: string(row.title) ?? id, category: 'Secret' }
    const target = string(row.target) ?? ''
    const identity = [target, container ?? ''].join('\n')
    const twin = duplicates.of(`${id}\n${identity}`, string(row.match) ?? '')
    const item = { ...place, message: info.name, value: target || container, identity }
    collector.finding(info, readSeverity(row.severity), item, twin)
  }
  return rows.length
}

function imageOf(report: Values): string | undefined {
  const { repository, tag, digest } = object(report.artifact)
  const name = string(repository)
  if (!name) return undefined
  const server = string(object(report.registry).server)
  const version = string(tag) ? `:${string(tag)}` : string(digest) ? `@${string(digest)}` : ''
  return `${server ? `${server}/` : ''}${name}${version}`
}

/** Checks of configuration audits and of RBAC and infrastructure assessments, which share one form. */
function readChecks(rows: Values[], { place, duplicates }: OperatorContext, collector: ScanCollector): number {
  let failed = 0
  for (const row of rows) {
    const id = string(row.checkID) ?? string(row.title) ?? 'without an id'
    const recommendation = readRecommendation(row.remediation)
    const check = { id, name: string(row.title) ?? id, category: 'Misconfiguration', recommendation }
    const messages = strings(row.messages)
    if (row.success === true) {
      collector.check(check)
      continue
    }
    const isFailed = row.success === false || string(row.success)?.toLowerCase() === 'false'
    if (!isFailed && row.success !== undefined) {
      collector.notUnderstood(check, `its success is ${shown(row.success)}`)
      continue
    }
    failed++
    const message = messages.join(' ') || check.name
    const item = { ...place, message, value: null }
    const twin = duplicates.of(`${id}\n${identityOf(item)}`, message)
    collector.finding(check, readSeverity(row.severity), item, twin)
  }
  return failed
}
