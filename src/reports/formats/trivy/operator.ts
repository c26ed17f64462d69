import { readRecommendation, readUrl } from '../../guidance.ts'
import { string, strings } from '../../read.ts'
import { identityOf, type Place, type ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { object, objects } from '../values.ts'
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
  readVulnerabilities(report, where, collector)
  readSecrets(report, where, collector)
  readChecks(report, where, collector)
}

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
  report: Values,
  { place, container, duplicates, image }: OperatorContext,
  collector: ScanCollector,
): void {
  for (const row of objects(report.vulnerabilities)) {
    const id = string(row.vulnerabilityID)
    if (!id) continue
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
}

/** The match is left out, because it is a secret. */
function readSecrets(
  report: Values,
  { place, container, duplicates }: OperatorContext,
  collector: ScanCollector,
): void {
  for (const row of objects(report.secrets)) {
    const id = string(row.ruleID)
    if (!id) continue
    const info = { id, name: string(row.title) ?? id, category: 'Secret' }
    const target = string(row.target) ?? ''
    const identity = [target, container ?? ''].join('\n')
    const twin = duplicates.of(`${id}\n${identity}`, string(row.match) ?? '')
    const item = { ...place, message: info.name, value: target || container, identity }
    collector.finding(info, readSeverity(row.severity), item, twin)
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
function readChecks(report: Values, { place, duplicates }: OperatorContext, collector: ScanCollector): void {
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
    const twin = duplicates.of(`${id}\n${identityOf(item)}`, message)
    collector.finding(check, readSeverity(row.severity), item, twin)
  }
}
