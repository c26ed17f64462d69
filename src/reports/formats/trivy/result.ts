import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { readRecommendation, readUrl } from '../../guidance.ts'
import type { Item } from '../../item.ts'
import { string } from '../../read.ts'
import { stableValue } from '../../stable-text.ts'
import { type AdvisedCheck, identityOf, type Place, type ScanCollector } from '../collector.ts'
import type { DuplicateCounter } from '../duplicate-counter.ts'
import { object, objects } from '../values.ts'
import { readSeverity } from './severity.ts'

type Values = Record<string, unknown>

/** Target of the results of one resource or artifact. */
export interface ResultContext {
  place: Place
  /** Per subject, because two resources may have equal findings. */
  duplicates: DuplicateCounter
  collector: ScanCollector
  /** The image of the target; undefined if it is none, or not known. */
  image?: string | undefined
}

/** One of `Results`: what was found in one target (an image's packages, a manifest, a file). */
export function readResult(result: Values, { place, duplicates, collector, image }: ResultContext): void {
  collector.lookedAt()
  const name = targetOf(result)
  const target = { name, stable: stableValue(name) }
  const add = (row: Row | undefined) => {
    if (row) collector.finding(row.info, row.severity, row.item, duplicates.of(row.identity, row.details))
  }
  const suppress = (row: Row | undefined, reason: string | undefined) => {
    if (!row) return
    const twin = duplicates.of(row.identity, row.details)
    collector.suppressed(row.info, row.severity, row.item, { reason, until: undefined }, twin)
  }
  for (const row of objects(result.Vulnerabilities)) {
    const read = readVulnerability(row, place, target)
    add(read)
    if (read && image !== undefined) collector.imageAdvisory(image, read.info.id)
  }
  for (const row of objects(result.Misconfigurations)) {
    const { Status: status = 'FAIL' } = row
    const read = readMisconfiguration(row, place)
    if (status === 'FAIL') add(read)
    else if (status === 'EXCEPTION') suppress(read, string(row.Message))
    else if (read) collector.check(read.info)
  }
  for (const row of objects(result.Secrets)) add(readSecret(row, place, target))
  for (const modified of objects(result.ExperimentalModifiedFindings)) {
    const row = readModified(modified, place, target)
    if (modified.Status === 'affected') add(row)
    else suppress(row, [string(modified.Status), string(modified.Statement)].filter(Boolean).join(': '))
  }
  const licenses = objects(result.Licenses).length
  if (licenses > 0)
    collector.warn(`Left out: ${licenses} licenses of ${name || 'a target'}. relt does not rate licenses.`)
}

interface Target {
  name: string
  /** Without what another version of it changes. */
  stable: string
}

/** A row as a finding, with what sets it apart from other rows of its subject. */
interface Row {
  info: AdvisedCheck
  severity: FindingSeverity
  item: Item
  identity: string
  details: string
}

function rowOf(info: AdvisedCheck, severity: FindingSeverity, item: Item, details: unknown[]): Row {
  return { info, severity, item, identity: `${info.id}\n${identityOf(item)}`, details: details.join('\n') }
}

function readVulnerability(row: Values, place: Place, target: Target): Row | undefined {
  const id = string(row.VulnerabilityID)
  if (!id) return undefined
  const name = string(row.Title) ?? id
  const pkg = string(row.PkgName) ?? ''
  const path = string(row.PkgPath) ?? ''
  const item = {
    ...place,
    message: describePackage(pkg, row.InstalledVersion, row.FixedVersion),
    value: path || target.name || null,
    identity: `${pkg}\n${path}\n${target.stable}`,
  }
  const info = { id, name, category: 'Vulnerability', url: readUrl(row.PrimaryURL) }
  return rowOf(info, readSeverity(row.Severity), item, [target.name, row.InstalledVersion, row.PkgID])
}

/** `openssl 3.0.11-1, fixed in 3.0.13-1`. */
export function describePackage(pkg: string, installed: unknown, fixed: unknown): string {
  const fixedIn = string(fixed)
  return `${[pkg, string(installed)].filter(Boolean).join(' ')}, ${fixedIn ? `fixed in ${fixedIn}` : 'no fix yet'}`
}

function readMisconfiguration(row: Values, place: Place): Row | undefined {
  const id = string(row.ID) ?? string(row.AVDID)
  if (!id) return undefined
  const info = {
    id,
    name: string(row.Title) ?? id,
    category: 'Misconfiguration',
    recommendation: readRecommendation(row.Resolution),
    url: readUrl(row.PrimaryURL),
  }
  const { Resource: resource, StartLine: line, EndLine: end } = object(row.CauseMetadata)
  const item = { ...place, message: string(row.Message) ?? info.name, value: string(resource) ?? null }
  return rowOf(info, readSeverity(row.Severity), item, [item.message, row.Namespace, line, end])
}

/** The match is left out, because it is a secret. */
function readSecret(row: Values, place: Place, target: Target): Row | undefined {
  const id = string(row.RuleID)
  if (!id) return undefined
  const name = string(row.Title) ?? id
  const item = { ...place, message: name, value: target.name || null, identity: target.stable }
  const info = { id, name, category: 'Secret' }
  return rowOf(info, readSeverity(row.Severity), item, [target.name, row.StartLine, row.EndLine])
}

/** Findings removed by an ignore file or a VEX document. */
function readModified({ Type, Finding }: Values, place: Place, target: Target): Row | undefined {
  const finding = object(Finding)
  if (Type === 'vulnerability') return readVulnerability(finding, place, target)
  if (Type === 'misconfiguration') return readMisconfiguration(finding, place)
  return Type === 'secret' ? readSecret(finding, place, target) : undefined
}

/** `nginx:1.27 (debian 12.5)` without the system. */
export function targetOf({ Target }: Values): string {
  return (string(Target) ?? '').replace(/ \([^()]*\)$/, '')
}
