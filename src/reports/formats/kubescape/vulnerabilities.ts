import { ratedSeverities } from '../../../contract/choices.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string, strings } from '../../text.ts'
import { type Rating, type ScanCollector, unrated } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { contradictionFor } from '../reconcile.ts'
import { entries, object, toRows } from '../values.ts'

const shape = shapeFor({
  known: 'mapsSeverityToSummary CVEs packageScores images',
  rows: 'severity id package version',
})

/**
 * `kubescape scan --scan-images`: vulnerabilities of all images together; the report does not state which image has which.
 */
export function readVulnerabilities(value: unknown, collector: ScanCollector) {
  const vulnerabilities = object(value)
  const rows = toRows(vulnerabilities.CVEs, 'summaryDetails.vulnerabilities.CVEs')
  const images = strings(vulnerabilities.images)
  if (rows.length > 0 || images.length > 0) collector.vulnerabilityScan()
  for (const image of images) collector.image(image, { namespace: null, resource: null })
  const duplicates = new DuplicateCounter()
  for (const row of rows) {
    const id = string(row.id) ?? 'without an id'
    const message = describePackage(row.package, row.version, row.fixVersions)
    const identity = string(row.package) ?? ''
    const twin = duplicates.of(`${id}\n${identity}`, message)
    const item = { namespace: null, resource: null, message, value: null, identity }
    collector.finding({ id, name: id, category: 'Vulnerability' }, ratingFor(row.severity), item, twin)
  }
  const counts = entries(vulnerabilities.mapsSeverityToSummary).map(([word, { numberOfCVEs }]) => ({
    noun: `vulnerabilities of ${word}`,
    counted: numberOfCVEs,
    listed: rows.filter(({ severity }) => severity === word).length,
  }))
  const gap = strangeMember(vulnerabilities, shape) ?? contradictionFor('the summary', counts)
  collector.gap('Vulnerabilities of images', gap, 'Vulnerability')
}

/** Formats `openssl 3.0.11-1, fixed in 3.0.13-1`. */
export function describePackage(name: unknown, version: unknown, fixVersions: unknown) {
  const what = [string(name), string(version)].filter(Boolean).join(' ') || 'A package'
  const fixes = strings(fixVersions).join(', ')
  return `${what}, ${fixes ? `fixed in ${fixes}` : 'no fix yet'}`
}

/** Severity words are Grype's. */
export function ratingFor(value: unknown): Rating {
  const word = string(value)?.toLowerCase()
  if (word === 'negligible') return 'info'
  if (word === 'unknown') return unrated('info')
  return ratedSeverities.find((severity) => severity === word) ?? 'unknown'
}
