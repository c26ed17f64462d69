import { string, strings } from '../../read.ts'
import type { Place, ScanCollector } from '../collector.ts'
import { object, objects } from '../values.ts'
import { describePackage } from './result.ts'
import { readSeverity } from './severity.ts'

type Values = Record<string, unknown>

const label = (labels: Values, name: string) => string(labels[`trivy-operator.${name}`])

/** A `VulnerabilityReport` or a `ConfigAuditReport`; false for all else. */
export function readOperatorReport(item: Values, collector: ScanCollector): boolean {
  const read = item.kind === 'VulnerabilityReport' ? readVulnerabilities : readConfigAudit
  if (item.kind !== 'VulnerabilityReport' && item.kind !== 'ConfigAuditReport') return false
  const metadata = object(item.metadata)
  const labels = object(metadata.labels)
  const kind = label(labels, 'resource.kind')
  const name = label(labels, 'resource.name')
  const place = {
    namespace: label(labels, 'resource.namespace') ?? string(metadata.namespace) ?? null,
    resource: kind && name ? `${kind.toLowerCase()}/${name}` : null,
  }
  read(object(item.report), { place, container: label(labels, 'container.name') ?? null }, collector)
  return true
}

interface Where {
  place: Place
  container: string | null
}

function readVulnerabilities(report: Values, { place, container }: Where, collector: ScanCollector): void {
  const image = imageOf(report)
  if (image) collector.image(image, place)
  for (const row of objects(report.vulnerabilities)) {
    const id = string(row.vulnerabilityID)
    if (!id) continue
    const pkg = string(row.resource) ?? ''
    collector.finding({ id, name: string(row.title) ?? id, category: 'Vulnerability' }, readSeverity(row.severity), {
      ...place,
      message: describePackage(pkg, row.installedVersion, row.fixedVersion),
      value: container,
      identity: `${pkg}\n${container ?? ''}`,
    })
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

function readConfigAudit(report: Values, { place }: Where, collector: ScanCollector): void {
  for (const row of objects(report.checks)) {
    const id = string(row.checkID)
    if (!id) continue
    const check = { id, name: string(row.title) ?? id, category: 'Misconfiguration' }
    const messages = strings(row.messages)
    if (row.success === true) collector.check(check)
    else {
      const message = messages.join(' ') || check.name
      collector.finding(check, readSeverity(row.severity), { ...place, message, value: null })
    }
  }
}
