import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { readRecommendation, readUrl } from '../../guidance.ts'
import type { Item } from '../../item.ts'
import type { WorkloadPlace } from '../../place-sets.ts'
import { string, strings } from '../../read.ts'
import { stableValue } from '../../stable-text.ts'
import { workloadsOf } from '../collected-workloads.ts'
import { type AdvisedCheck, identityOf, type Place, type ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { object, objects } from '../values.ts'
import { operatorPlaceOf } from './operator-place.ts'
import { describePackage } from './result.ts'
import { readSeverity } from './severity.ts'

type Values = Record<string, unknown>

/** A report of one of the kinds that `operatorKindOf` knows. */
export function readOperatorReport(item: Values, collector: ScanCollector): void {
  collector.lookedAt()
  const { namespace = null, kind, name, container = null } = operatorPlaceOf(item)
  const place = { namespace, resource: kind && name ? `${kind.toLowerCase()}/${name}` : null }
  const workloads = workloadsOf(item)
  const report = object(item.report)
  const image = imageOf(report)
  const where = { place, container, workloads, duplicates: new DuplicateCounter(), image }
  if (image) for (const each of workloads ?? [place]) collector.image(image, each)
  for (const [member, category, read] of parts) {
    if (report[member] === undefined) continue
    for (const each of workloads ?? [{ ...place, container }]) collector.reported(category, each)
    read(report, where, collector)
  }
}

const parts = [
  ['vulnerabilities', 'Vulnerability', readVulnerabilities],
  ['secrets', 'Secret', readSecrets],
  ['checks', 'Misconfiguration', readChecks],
] as const

interface OperatorContext {
  place: Place
  container: string | null
  /** Of a report that relt collected itself. */
  workloads: WorkloadPlace[] | undefined
  duplicates: DuplicateCounter
  image: string | undefined
}

function readVulnerabilities(report: Values, context: OperatorContext, collector: ScanCollector): void {
  const { container, duplicates, image } = context
  const add = adderOf(context, collector)
  for (const row of objects(report.vulnerabilities)) {
    const id = string(row.vulnerabilityID)
    if (!id) continue
    const pkg = string(row.resource) ?? ''
    const path = string(row.packagePath) ?? string(row.target) ?? ''
    const identity = [pkg, path, context.workloads ? '' : (container ?? '')].join('\n')
    const twin = duplicates.of(`${id}\n${identity}`, JSON.stringify([row.installedVersion, row.packagePURL]))
    const url = readUrl(row.primaryLink)
    const info = { id, name: string(row.title) ?? id, category: 'Vulnerability', url }
    const message = describePackage(pkg, row.installedVersion, row.fixedVersion)
    add(info, readSeverity(row.severity), { message, value: container, identity }, twin)
    if (image !== undefined) collector.imageAdvisory(image, id)
  }
}

/** Adds findings about an image: one for all its workloads if these are known. */
function adderOf({ place, workloads, image }: OperatorContext, collector: ScanCollector) {
  if (!workloads) {
    return (info: AdvisedCheck, severity: FindingSeverity, item: Found, twin: number) =>
      collector.finding(info, severity, { ...place, ...item }, twin)
  }
  const group = collector.group(workloads)
  const resource = `image/${stableValue(image ?? '')}`
  return (info: AdvisedCheck, severity: FindingSeverity, item: Found, twin: number) =>
    collector.sharedFinding(info, severity, { namespace: null, resource, ...item }, { group, twin })
}

type Found = Omit<Item, keyof Place>

/** The match is left out, because it is a secret. */
function readSecrets(report: Values, context: OperatorContext, collector: ScanCollector): void {
  const { container, duplicates } = context
  const add = adderOf(context, collector)
  for (const row of objects(report.secrets)) {
    const id = string(row.ruleID)
    if (!id) continue
    const info = { id, name: string(row.title) ?? id, category: 'Secret' }
    const target = string(row.target) ?? ''
    const identity = [target, context.workloads ? '' : (container ?? '')].join('\n')
    const twin = duplicates.of(`${id}\n${identity}`, string(row.match) ?? '')
    add(info, readSeverity(row.severity), { message: info.name, value: target || container, identity }, twin)
  }
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
function readChecks(report: Values, { place, duplicates, workloads }: OperatorContext, collector: ScanCollector): void {
  const [workload] = workloads ?? []
  for (const row of objects(report.checks)) {
    const id = string(row.checkID)
    if (!id) continue
    const recommendation = readRecommendation(row.remediation)
    const check = { id, name: string(row.title) ?? id, category: 'Misconfiguration', recommendation }
    const messages = strings(row.messages)
    if (row.success === true) {
      collector.check(check)
      continue
    }
    const message = messages.join(' ') || check.name
    const item = { ...place, message, value: null }
    const identity = identityOf(item)
    const twin = duplicates.of(`${id}\n${identity}`, message)
    // The sentence names the object that the operator looked at.
    const of = workload && { namespace: workload.namespace || null, resource: workload.resource, identity }
    collector.finding(check, readSeverity(row.severity), { ...item, ...of }, twin)
  }
}
