import { readRecommendation, readUrl } from '../../guidance.ts'
import type { Item } from '../../item.ts'
import { shown } from '../../not-run-text.ts'
import { stableValue } from '../../stable-text.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import type { AdvisedCheck, Place, Rating, ScanCollector } from '../collector.ts'
import type { DuplicateCounter } from '../duplicate-counter.ts'
import { toIdentity } from '../item-text.ts'
import { contradictionFor } from '../reconcile.ts'
import { object, objects, toRows, type Values } from '../values.ts'
import { readSeverity } from './severity.ts'
import { systemCheck } from './system.ts'

/** What the results of one resource or artifact are about. */
export interface ResultContext {
  place: Place
  /** One counter per resource or artifact, because two resources may have equal findings. */
  duplicates: DuplicateCounter
  collector: ScanCollector
  /** The image of the target; undefined if there is none or it is unknown. */
  image?: string | undefined
}

const rows = 'VulnerabilityID RuleID PkgName InstalledVersion Severity Title AVDID CauseMetadata'

const resultShape = shapeFor({
  known:
    'Target Class Type Vulnerabilities MisconfSummary Misconfigurations Secrets Licenses Packages CustomResources ' +
    'ExperimentalModifiedFindings',
  rows,
})

const summaryShape = shapeFor({ known: 'Successes Failures Exceptions' })

const misconfigurationShape = shapeFor({
  known:
    'Type ID AVDID Title Description Message Namespace Query Resolution Severity PrimaryURL References Status Layer ' +
    'CauseMetadata Traces',
})

/** Reads one of `Results`: the findings of one target (an image's packages, a manifest, a file). */
export function readResult(result: Values, context: ResultContext) {
  const { place, duplicates, collector, image } = context
  collector.lookedAt()
  const name = toTarget(result)
  const where = `Results of ${name || 'a target'}`
  if (!['Target', 'Class', 'Type'].some((key) => string(result[key])))
    collector.gap(where, 'it has no target and no class')
  const target = { name, stable: stableValue(name) }
  const add = (row: Row) => {
    if (row.info.id === withoutId && row.severity === 'unknown') collector.gap(where, 'a row has no id and no severity')
    collector.finding(row.info, row.severity, row.item, duplicates.of(row.identity, row.details))
  }
  for (const row of toRows(result.Vulnerabilities, 'Results.Vulnerabilities')) {
    const read = readVulnerability(row, place, target)
    add(read)
    if (image !== undefined) collector.imageAdvisory(image, read.info.id)
  }
  readMisconfigurations(result, context, add)
  for (const row of toRows(result.Secrets, 'Results.Secrets')) add(readSecret(row, place, target))
  for (const modified of toRows(result.ExperimentalModifiedFindings, 'Results.ExperimentalModifiedFindings')) {
    const row = readModified(modified, place, target)
    const status = string(modified.Status)?.toLowerCase() ?? ''
    const reason = [status, string(modified.Statement)].filter(Boolean).join(': ')
    if (row && suppressingStatuses.has(status)) suppress(row, reason, context)
    else if (row) add(row)
  }
  collector.gap(where, strangeMember(result, resultShape))
  const part = partOfClass.get(string(result.Class) ?? '')
  if (part !== undefined) collector.part(part)
  if (part === 'Vulnerability') {
    collector.part(systemCheck.category)
    collector.vulnerabilityScan()
  }
  const licenses = objects(result.Licenses).length
  if (licenses > 0)
    collector.warn(`Left out: ${licenses} licenses of ${name || 'a target'}. relt does not rate licenses.`)
}

/** Category of checks by class of results. Trivy looks packages up in its database. */
const partOfClass = new Map([
  ['os-pkgs', 'Vulnerability'],
  ['lang-pkgs', 'Vulnerability'],
  ['config', 'Misconfiguration'],
  ['secret', 'Secret'],
])

/** Statuses in an ignore file or VEX document that make Trivy suppress a finding. */
const suppressingStatuses = new Set(['ignored', 'not_affected', 'fixed'])

function suppress(row: Row, reason: string, { duplicates, collector }: ResultContext) {
  const twin = duplicates.of(row.identity, row.details)
  collector.suppressed(row.info, row.severity, row.item, { reason: reason || undefined, until: undefined }, twin)
}

function readMisconfigurations(result: Values, context: ResultContext, add: (row: Row) => void) {
  const { place, collector } = context
  const rows = toRows(result.Misconfigurations, 'Results.Misconfigurations')
  let [failures, exceptions, passed] = [0, 0, 0]
  for (const row of rows) {
    const read = readMisconfiguration(row, place)
    const status = string(row.Status ?? 'FAIL')?.toUpperCase()
    if (status === 'FAIL') {
      failures++
      add(read)
    } else if (status === 'EXCEPTION') {
      exceptions++
      suppress(read, string(row.Message) ?? '', context)
    } else if (status === 'PASS') {
      passed++
      collector.passed(read.info, strangeMember(row, misconfigurationShape))
    } else collector.notUnderstood(read.info, `its Status is ${shown(row.Status)}`)
  }
  const summary = object(result.MisconfSummary)
  const { Failures, Exceptions, Successes } = summary
  const contradiction = contradictionFor('MisconfSummary', [
    { noun: 'failures', counted: Failures, listed: failures },
    // Only some versions count exceptions.
    ...(exceptions > 0 ? [{ noun: 'exceptions', counted: Exceptions, listed: exceptions }] : []),
    { noun: 'successes', counted: Successes, listed: passed, isPassed: true },
  ])
  const gap = contradiction ?? strangeMember(summary, summaryShape)
  collector.gap(`Misconfigurations of ${toTarget(result) || 'a target'}`, gap, 'Misconfiguration')
}

interface Target {
  name: string
  /** The text without parts that change with the version. */
  stable: string
}

/** A row as a finding, with the text that distinguishes it from other rows of its target. */
interface Row {
  info: AdvisedCheck
  severity: Rating
  item: Item
  identity: string
  details: string
}

function toRow(info: AdvisedCheck, severity: Rating, item: Item, details: unknown[]): Row {
  return { info, severity, item, identity: `${info.id}\n${toIdentity(item)}`, details: JSON.stringify(details) }
}

const withoutId = 'without an id'

/** Id of a row. A row without one still counts. */
const toId = (...texts: unknown[]) => texts.map(string).find(Boolean) ?? withoutId

function readVulnerability(row: Values, place: Place, target: Target) {
  const id = toId(row.VulnerabilityID, row.Title)
  const name = string(row.Title) ?? id
  const pkg = string(row.PkgName) ?? ''
  const path = string(row.PkgPath) ?? ''
  const item = {
    ...place,
    message: describePackage(pkg, row.InstalledVersion, row.FixedVersion),
    value: path || target.name || null,
    identity: `${pkg}\n${path}\n${target.stable}`,
    isUnfixed: string(row.FixedVersion) === undefined,
  }
  const info = { id, name, category: 'Vulnerability', url: readUrl(row.PrimaryURL) }
  return toRow(info, readSeverity(row.Severity), item, [target.name, row.InstalledVersion, row.PkgID])
}

/** Formats `openssl 3.0.11-1, fixed in 3.0.13-1`. */
export function describePackage(pkg: string, installed: unknown, fixed: unknown) {
  const fixedIn = string(fixed)
  return `${[pkg, string(installed)].filter(Boolean).join(' ')}, ${fixedIn ? `fixed in ${fixedIn}` : 'no fix yet'}`
}

function readMisconfiguration(row: Values, place: Place) {
  const id = toId(row.ID, row.AVDID, row.Title)
  const info = {
    id,
    name: string(row.Title) ?? id,
    category: 'Misconfiguration',
    recommendation: readRecommendation(row.Resolution),
    url: readUrl(row.PrimaryURL),
  }
  const { Resource: resource, StartLine: line, EndLine: end } = object(row.CauseMetadata)
  const item = { ...place, message: string(row.Message) ?? info.name, value: string(resource) ?? null }
  return toRow(info, readSeverity(row.Severity), item, [item.message, row.Namespace, line, end])
}

/** Leaves out the match, because it contains the secret. */
function readSecret(row: Values, place: Place, target: Target) {
  const id = toId(row.RuleID, row.Title)
  const name = string(row.Title) ?? id
  const item = { ...place, message: name, value: target.name || null, identity: target.stable }
  const info = { id, name, category: 'Secret' }
  return toRow(info, readSeverity(row.Severity), item, [target.name, row.StartLine, row.EndLine])
}

/** Findings removed by an ignore file or a VEX document. */
function readModified({ Type, Finding }: Values, place: Place, target: Target) {
  const finding = object(Finding)
  if (Type === 'misconfiguration') return readMisconfiguration(finding, place)
  if (Type === 'secret') return readSecret(finding, place, target)
  return Type === 'license' ? undefined : readVulnerability(finding, place, target)
}

/** Removes the operating system from `nginx:1.27 (debian 12.5)`. */
export function toTarget({ Target }: Values) {
  return (string(Target) ?? '').replace(/ \([^()]*\)$/, '')
}
