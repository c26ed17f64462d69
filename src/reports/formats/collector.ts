import { findingSeverities } from '../../contract/choices.ts'
import type { FindingSeverity, ReportFormat } from '../../contract/scan-finding.ts'
import { invalidParams } from '../../errors.ts'
import { remember } from '../../util/remember.ts'
import type { ImageArtifact } from '../artifact.ts'
import { ClusterNames } from '../cluster-names.ts'
import {
  type CheckInfo,
  FindingIndexer,
  maxChecks,
  maxCollectedChecks,
  rankFor,
  type Suppression,
} from '../finding-index.ts'
import type { CheckGuidance } from '../guidance.ts'
import { type Item, maxTextLength } from '../item.ts'
import { keyOfSubject, type Subject, wholeCluster } from '../ledger.ts'
import { toScopeId, vulnerabilityScope } from '../named-vulnerability.ts'
import { noFindings } from '../no-findings.ts'
import { notUnderstood } from '../not-run-text.ts'
import { keyOfPlace, type WorkloadPlace } from '../place-sets.ts'
import type { ReportedCoverage, UnreadKind } from '../read.ts'
import { podsOf } from '../reported-names.ts'
import type { NotRunCheck, Scan } from '../scan.ts'
import { scoreGap } from '../score-gap.ts'
import { stableResource } from '../stable-name.ts'
import { cut, shorten } from './item-text.ts'
import { computeScore } from './score.ts'

const maxFindings = 1_000_000
const maxImages = 50_000
const maxWarnings = 20
const maxGaps = 100
const maxNameLength = 500
const maxIdLength = 100
/** Subjects beyond this number count as the first. */
const maxSubjects = 1000
const maxNamespaces = 10_000

/** A severity as the scanner rates it, or one that relt assigns to an unrated finding. */
export type Rating = FindingSeverity | { severity: FindingSeverity; isUnrated: true }

export const unrated = (severity: FindingSeverity): Rating => ({ severity, isUnrated: true })

/** Location of a resource in the cluster. */
export interface Place {
  namespace: string | null
  /** `kind/name`. */
  resource: string | null
}

export interface Head {
  clusterName: string | undefined
  generatedAt?: number | undefined
  kubernetesVersion?: string | undefined
  /** 0–100, if the scanner gives a score. */
  score?: number | undefined
  /** Score of the listed checks by the scanner's formula, if it has one without weights. */
  explainedScore?: number | undefined
  excludedNamespaces?: string[]
  /** The only namespaces that were read, if some were chosen. */
  includedNamespaces?: string[]
  unreportedNamespaces?: string[]
  unreadKinds?: UnreadKind[]
  /** Running workloads, if the report is a collection with them; null: they could not be read. */
  running?: ReportedCoverage['running'] | undefined
  /** The report lists passed checks too. */
  listsPassed?: boolean
}

/** A check with its remediation text. */
export interface AdvisedCheck extends CheckInfo {
  recommendation?: string | undefined
  url?: string | undefined
}

interface CollectedCheck extends CheckInfo {
  number: number
  failed: boolean
  /** Number of rows by severity as the scanner counts them, worst first. */
  rows: number[]
  recommendation: string | null
  url: string | null
  /** Why the check did not run in at least one place. */
  notRun?: string
}

/** Builds a scan from the parts of a foreign report, in any order. Truncates texts and limits amounts. */
export class ScanCollector {
  readonly #format: ReportFormat
  readonly #indexer: FindingIndexer
  readonly #checks = new Map<string, CollectedCheck>()
  readonly #subjects: Subject[] = []
  /** Position of each subject, by its key. */
  readonly #positions = new Map<string, number>()
  /** Position of the subject that the next checks are about. */
  #subject = 0
  readonly #counts = noFindings()
  readonly #images = new Map<string, ImageArtifact>()
  readonly #advisories = new Map<string, Set<string>>()
  readonly #warnings = new Set<string>()
  readonly #gaps = new Map<string, UnreadKind>()
  /** Keys of places with a report, by category of checks. */
  readonly #reported = new Map<string, Set<string>>()
  /** Categories of checks that the report has a part for. */
  readonly #parts = new Set<string>()
  readonly #namespaces = new Set<string>()
  #findings = 0
  #isCollected = false
  #lookedAt = false
  #hasVulnerabilityScan = false
  #hasUnnamed = false
  /** The report itself states that vulnerabilities were scanned. */
  #namesVulnerabilities = false

  constructor(format: ReportFormat) {
    this.#format = format
    this.#indexer = new FindingIndexer(new ClusterNames({ pods: podsOf(format) }))
  }

  /** Adds a subject of the report, which the checks that follow are about. Without one, the cluster is the subject. */
  subject(subject: Subject) {
    const key = keyOfSubject(this.#format, subject)
    if (this.#subjects.length < maxSubjects) remember(this.#positions, key, () => this.#subjects.push(subject) - 1)
    this.#subject = this.#positions.get(key) ?? 0
  }

  /** Adds a check that ran; it passed unless a finding of it follows. */
  check(info: AdvisedCheck): CollectedCheck {
    const key = `${this.#subject}\n${info.id}\n${info.category}`
    const known = this.#checks.get(key)
    if (known) {
      known.recommendation ??= info.recommendation ?? null
      known.url ??= info.url ?? null
      return known
    }
    const most = this.#isCollected ? maxCollectedChecks : maxChecks
    if (this.#checks.size === most) throw invalidParams({ report: `at most ${most} different checks` })
    const short = (text: string) => text.slice(0, maxNameLength)
    const own: CheckInfo = { id: short(info.id), name: short(info.name), category: short(info.category) }
    if (this.#subject > 0) own.subject = this.#subject
    const { recommendation = null, url = null } = info
    const rows = findingSeverities.map(() => 0)
    const check = { number: this.#indexer.addCheck(own), ...own, failed: false, rows, recommendation, url }
    this.#checks.set(key, check)
    return check
  }

  /**
   * Adds a finding. `twin`: its number among findings with the same identity that differ in the report; see
   * `DuplicateCounter`.
   */
  finding(info: AdvisedCheck, rating: Rating, item: Item, twin = 0) {
    this.#count(info, rating, { item: shorten(item, twin), rows: 1 })
  }

  /** Adds one finding about all places of a group; the scanner counts it in each. */
  sharedFinding(info: AdvisedCheck, rating: Rating, item: Item, by: { group: PlaceGroup; twin: number }) {
    this.#count(info, rating, { item: shorten(item, by.twin), rows: by.group.size, group: by.group.number })
  }

  /** Adds the resource if it is a node. `isListed`: the report names nodes whether they have findings or not. */
  node(resource: string | null, isListed: boolean) {
    if (resource?.startsWith('node/')) this.#indexer.addNode(cut(resource.slice('node/'.length)), isListed)
  }

  /** Tells that nothing owns a pod; before its findings. */
  bare({ namespace, resource }: Place) {
    if (resource !== null) this.#indexer.addBare(namespace, cut(resource))
  }

  /** Adds a group of places, for findings they share. */
  group(places: WorkloadPlace[]): PlaceGroup {
    this.#isCollected = true
    const short = places.map(({ namespace, resource, container }) => ({
      namespace: cut(namespace),
      resource: stableResource(cut(resource)),
      ...(container && { container: cut(container) }),
    }))
    return { number: this.#indexer.addPlaces(short), size: short.length }
  }

  /** Records that a report of these checks exists for a place, even without findings. */
  reported(category: string, place: Place & { container?: string | null | undefined }) {
    const { namespace, resource, container } = place
    const places: Set<string> = remember(this.#reported, category, () => new Set())
    const stable = resource === null ? '' : stableResource(cut(resource))
    places.add(keyOfPlace({ namespace: cut(namespace ?? ''), resource: stable, container: cut(container ?? '') }))
  }

  #count(info: AdvisedCheck, rating: Rating, { item, rows, group }: { item: Item; rows: number; group?: number }) {
    if (this.#findings++ === maxFindings) throw invalidParams({ report: `at most ${maxFindings} findings` })
    const check = this.check(info)
    if (!check.failed && /^(?:CVE|GHSA)-/.test(check.id)) this.#hasVulnerabilityScan = true
    check.failed = true
    const { severity, isUnrated } = typeof rating === 'string' ? { severity: rating, isUnrated: false } : rating
    const rank = rankFor(severity)
    check.rows[rank]! += rows
    this.#counts.total += rows
    this.#counts[severity] += rows
    this.#indexer.addFinding(check.number, item, rank, { isUnrated, count: rows, group })
  }

  /** Adds a finding covered by an exception: its check ran, and did not fail by it. */
  suppressed(info: AdvisedCheck, rating: Rating, item: Item, suppression: Suppression, twin = 0) {
    const rank = rankFor(typeof rating === 'string' ? rating : rating.severity)
    this.#indexer.addSuppressed(this.check(info).number, shorten(item, twin), rank, suppression)
  }

  /** Adds a check that passed according to the report. `doubt`: why that is not certain. */
  passed(info: AdvisedCheck, doubt: string | undefined) {
    if (doubt === undefined) this.check(info)
    else this.notUnderstood(info, `it passed, and has ${doubt}`)
  }

  /** Adds a check in an unknown form: it neither passed nor failed. */
  notUnderstood(info: AdvisedCheck, what: string) {
    this.notRun(info, notUnderstood(what))
  }

  /**
   * Adds a part of the report that is missing, contradictory or not understood, so that it may hide findings of a category
   * (`*` for all). It counts as a check that did not run, and resolves no finding. Undefined: there is none.
   */
  gap(part: string, what: string | undefined, category = '*') {
    if (what === undefined) return
    const reason = notUnderstood(cut(what))
    if (this.#gaps.size < maxGaps)
      this.#gaps.set(`${part}\n${category}`, { kind: part, category, reason, isPartial: true })
    this.notRun({ id: part, name: part, category: 'Coverage' }, reason)
  }

  /** Adds a check that could not run: it neither passed nor failed. */
  notRun(info: AdvisedCheck, reason: string) {
    this.check(info).notRun ??= cut(reason).slice(0, maxNameLength)
  }

  /** Records that the report has a part with the checks of a category. Checks of others were not looked at. */
  part(category: string) {
    this.#parts.add(category)
  }

  /** Records that the scan covered something, even if the report has no details. */
  lookedAt() {
    this.#lookedAt = true
  }

  /** Records the namespace of something in the report, passed or not, if its format does not state which ones it read. */
  inNamespace(namespace: string | null | undefined) {
    if (namespace && namespace.length <= 253 && this.#namespaces.size < maxNamespaces) this.#namespaces.add(namespace)
  }

  /** Records that vulnerabilities were scanned, whether any was found or not. */
  vulnerabilityScan() {
    this.#hasVulnerabilityScan = true
    this.#namesVulnerabilities = true
  }

  /** Records that there are vulnerabilities that the report does not name. */
  unnamedVulnerabilities() {
    this.#hasUnnamed = true
  }

  /** Adds one sentence about a part of the report that the scan ignores. */
  warn(sentence: string) {
    if (this.#warnings.size < maxWarnings) this.#warnings.add(cut(sentence))
  }

  image(reference: string, { namespace, resource }: Place) {
    if (reference === '' || reference.length > 1024 || /\s/.test(reference) || this.#images.size === maxImages) return
    const workload = resource && stableResource(cut(resource))
    const image = { reference, namespace: namespace && cut(namespace), workload, helmChart: null, helmRelease: null }
    this.#images.set(`${reference}\n${namespace}\n${workload}`, image)
  }

  /** Adds an advisory about a package inside an image. */
  imageAdvisory(reference: string, id: string) {
    if (reference.length > maxTextLength || id.length > maxIdLength) return
    const known = this.#advisories.get(reference)
    if (known) known.add(id)
    else if (this.#advisories.size < maxImages) this.#advisories.set(reference, new Set([id]))
  }

  #checkScore({ score, explainedScore: explained }: Head) {
    const isClean = this.#lookedAt && [...this.#checks.values()].every((check) => !check.failed && !check.notRun)
    const gap = scoreGap({ score, explained, isClean })
    if (gap !== undefined) this.gap('Score', gap)
  }

  #checksInScope() {
    const checks = [...this.#checks.values()]
    const ids = this.#namesVulnerabilities ? [vulnerabilityScope, ...checks.map(toScopeId)] : checks.map(({ id }) => id)
    return [...new Set(ids)]
  }

  #scope(head: Head) {
    const { excludedNamespaces = [], includedNamespaces = [], unreportedNamespaces = [], unreadKinds = [] } = head
    const { running, listsPassed } = head
    // A collection says itself what it lacks.
    const isCollection = running !== undefined || unreadKinds.length > 0
    // One with the running workloads names each missing report.
    const leftOut = running === undefined ? unreportedNamespaces : []
    const unread = [...unreadKinds, ...this.#gaps.values()]
    const reported = [...this.#reported].map(([category, places]): [string, string[]] => [category, [...places]])
    return {
      excludedNamespaces: [...new Set([...excludedNamespaces, ...leftOut])],
      ...(includedNamespaces.length > 0 && { includedNamespaces }),
      ...(!isCollection && this.#namespaces.size > 0 && { namespaces: [...this.#namespaces] }),
      ...(!isCollection && this.#parts.size > 0 && { parts: [...this.#parts] }),
      checkIds: listsPassed ? this.#checksInScope() : null,
      ...(unreportedNamespaces.length > 0 && { unreportedNamespaces }),
      ...(unread.length > 0 && { unreadKinds: unread }),
      ...(running !== undefined && { coverage: { running, reported } }),
    }
  }

  finish(head: Head): Scan {
    const { clusterName, generatedAt, kubernetesVersion, score, running } = head
    this.#checkScore(head)
    const checks = [...this.#checks.values()]
    const isScore = score !== undefined && score >= 0 && score <= 100
    return {
      format: this.#format,
      subjects: this.#subjects.length > 0 ? this.#subjects : [wholeCluster],
      clusterName: clusterName?.slice(0, 253),
      generatedAt,
      score: isScore
        ? { value: Math.round(score * 100) / 100, source: 'scanner' }
        : { value: computeScore(this.#counts), source: 'computed' },
      totalChecks: checks.length,
      failedChecks: checks.filter((check) => check.failed && check.notRun === undefined).length,
      checksNotRun: checks.flatMap(toNotRun),
      findings: this.#counts,
      warnings: [...this.#warnings],
      vulnerabilityScan: this.#hasVulnerabilityScan && !this.#hasUnnamed,
      lookedAt: this.#lookedAt || checks.some(({ notRun }) => notRun === undefined),
      scope: this.#scope(head),
      artifacts: {
        images: [...this.#images.values()],
        charts: [],
        apps: [],
        kubernetesVersion: kubernetesVersion?.slice(0, 100) ?? null,
        // An operator reports only the images it scanned, which may be fewer than those that run.
        imageSource: this.#images.size > 0 && running === undefined ? 'artifacts' : 'findings',
      },
      ...(this.#advisories.size > 0 && {
        imageAdvisories: Object.fromEntries([...this.#advisories].map(([image, ids]) => [image, [...ids]])),
      }),
      index: this.#indexer.finish(),
      guidance: { checks: checks.flatMap(toGuidance), totalWeight: null, riskPaths: null, aksReadiness: null },
    }
  }
}

/** Number of a group of places; see `ScanCollector.group`. */
export interface PlaceGroup {
  number: number
  size: number
}

/** Guidance for checks with findings, and for checks with suppressed findings and a remediation text. */
function toGuidance({ id, name, failed, rows, recommendation, url }: CollectedCheck): CheckGuidance[] {
  return failed || recommendation !== null || url !== null
    ? [{ id, name, weight: null, rows, recommendation, url }]
    : []
}

/** A check that failed in one place and could not run in another counts as not run: findings that are gone may be unseen. */
function toNotRun({ id, name, failed, notRun }: CollectedCheck): NotRunCheck[] {
  if (notRun === undefined) return []
  return [{ id, name, reason: failed ? `Did not run everywhere: ${notRun}` : notRun }]
}
