import { ratedSeverities } from '../../../contract/choices.ts'
import { readUrl } from '../../guidance.ts'
import type { WorkloadPlace } from '../../place-sets.ts'
import { stableValue } from '../../stable-text.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import { workloadsFor } from '../collected-workloads.ts'
import type { ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { contradictionBySeverity } from '../reconcile.ts'
import { number, object, toRows, type Values } from '../values.ts'
import { describePackage, ratingFor } from './vulnerabilities.ts'

const specShape = shapeFor({ known: 'metadata payload severities', rows: 'vulnerability artifact matchDetails' })
const payloadShape = shapeFor({
  known: 'matches ignoredMatches',
  unread: 'source distro descriptor alertsByPackage',
  rows: 'vulnerability artifact matchDetails',
})
const matchShape = shapeFor({
  known: 'vulnerability artifact',
  unread: 'relatedVulnerabilities matchDetails appliedIgnoreRules',
})

const category = 'Vulnerability'

/**
 * The vulnerabilities of an image, in Grype's format. `relt scan collect` adds the workloads that run it, and the counts of
 * their summaries.
 */
export function readManifest(item: Values, collector: ScanCollector) {
  const spec = object(item.spec)
  const payload = object(spec.payload)
  const image = toImage(item)
  const part = `${category} of ${image ?? 'an image'}`
  if (payload.matches === undefined) {
    collector.gap(part, 'the list has no content of this manifest', category)
    return
  }
  collector.lookedAt()
  collector.part(category)
  collector.vulnerabilityScan()
  const named = workloadsFor(item)
  const workloads = named?.length ? named : undefined
  const matches = toRows(payload.matches, 'items.spec.payload.matches')
  for (const each of workloads ?? []) if (image) collector.image(image, each)
  const add = toAdder(image, workloads, collector)
  for (const match of matches) {
    add(match, false)
    const id = string(object(match.vulnerability).id)
    if (image && id) collector.imageAdvisory(image, id)
  }
  for (const match of toRows(payload.ignoredMatches, 'items.spec.payload.ignoredMatches')) add(match, true)
  const gap = gapFor(spec, matches)
  collector.gap(part, gap, category)
  if (gap === undefined) for (const each of workloads ?? []) collector.reported(category, each)
}

function toImage({ metadata }: Values) {
  const { annotations, labels } = object(metadata)
  for (const texts of [object(annotations), object(labels)]) {
    const image = string(texts['kubescape.io/image-tag']) ?? string(texts['kubescape.io/image-id'])
    if (image) return image
  }
  return undefined
}

/** Returns a function that adds a match as a finding, suppressed if an exception covers it. */
function toAdder(image: string | undefined, workloads: WorkloadPlace[] | undefined, collector: ScanCollector) {
  const resource = `image/${stableValue(image ?? '')}`
  const group = workloads && collector.group(workloads)
  const duplicates = new DuplicateCounter()
  return (match: Values, isIgnored: boolean) => {
    const [vulnerability, artifact] = [object(match.vulnerability), object(match.artifact)]
    const id = string(vulnerability.id) ?? 'without an id'
    const identity = string(artifact.name) ?? ''
    const check = { id, name: id, category, url: readUrl(vulnerability.dataSource) }
    const message = describePackage(artifact.name, artifact.version, object(vulnerability.fix).versions)
    const item = { namespace: null, resource, message, value: null, identity }
    const twin = duplicates.of(`${isIgnored} ${id}\n${identity}`, JSON.stringify([artifact.version, artifact.purl]))
    const rating = ratingFor(vulnerability.severity)
    if (isIgnored) collector.suppressed(check, rating, item, { reason: undefined, until: undefined }, twin)
    else if (group) collector.sharedFinding(check, rating, item, { group, twin })
    else collector.finding(check, rating, item, twin)
  }
}

const words = [...ratedSeverities.filter((severity) => severity !== 'info'), 'negligible', 'unknown']

/** Why an image may hide vulnerabilities: the summary of a workload counts more than the manifest lists. */
function gapFor(spec: Values, matches: Values[]) {
  const payload = object(spec.payload)
  const strange =
    strangeMember(spec, specShape) ??
    strangeMember(payload, payloadShape) ??
    matches.map((match) => strangeMember(match, matchShape)).find(Boolean)
  if (strange !== undefined) return strange
  const severities = object(spec.severities)
  const listed = words.map(() => 0)
  for (const { vulnerability } of matches) {
    const word = string(object(vulnerability).severity)?.toLowerCase() ?? ''
    // An unknown word may stand for any severity.
    listed[Math.max(0, words.indexOf(word))]!++
  }
  const counted = words.map((word): [string, unknown] => [word, number(object(severities[word]).all)])
  return contradictionBySeverity('the summary', counted, listed)
}
