import type { FindingCounts, FindingSeverity, ReportFormat } from '../../contract/cluster-report.ts'
import { invalidParams } from '../../errors.ts'
import type { ImageArtifact } from '../artifact.ts'
import { type CheckInfo, FindingIndexer, maxChecks, rankOf } from '../finding-index.ts'
import { type Item, maxTextLength } from '../item.ts'
import type { NotRunCheck, Scan } from '../scan.ts'
import { stableResource } from '../stable-name.ts'
import { computeScore } from './score.ts'

const maxFindings = 1_000_000
const maxImages = 50_000
const maxNameLength = 500

/** Of a resource in the cluster. */
export interface Place {
  namespace: string | null
  /** `kind/name`. */
  resource: string | null
}

export interface Head {
  clusterName: string | undefined
  generatedAt?: number | undefined
  kubernetesVersion?: string | undefined
  /** 0–100, when the scanner says one. */
  score?: number | undefined
  excludedNamespaces?: string[]
  /** The report names the checks that passed, too. */
  listsPassed?: boolean
}

/** Gathers what a foreign report tells, in any order, into a scan; texts are cut and amounts bounded here. */
export class ScanCollector {
  readonly #format: ReportFormat
  readonly #indexer = new FindingIndexer()
  readonly #checks = new Map<string, { number: number; id: string; failed: boolean }>()
  readonly #counts: FindingCounts = { total: 0, critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  readonly #images = new Map<string, ImageArtifact>()
  readonly #notRun = new Map<string, NotRunCheck>()

  constructor(format: ReportFormat) {
    this.#format = format
  }

  /** A check that was made; it passed unless a finding of it comes. */
  check(info: CheckInfo) {
    const key = `${info.id}\n${info.category}`
    const known = this.#checks.get(key)
    if (known) return known
    if (this.#checks.size === maxChecks) throw invalidParams({ report: `at most ${maxChecks} different checks` })
    const [id, name, category] = [info.id, info.name, info.category].map((text) => text.slice(0, maxNameLength))
    const number = this.#indexer.addCheck({ id: id!, name: name!, category: category! })
    const check = { number, id: id!, failed: false }
    this.#checks.set(key, check)
    return check
  }

  finding(info: CheckInfo, severity: FindingSeverity, { namespace, resource, message, value, identity }: Item): void {
    if (this.#counts.total === maxFindings) throw invalidParams({ report: `at most ${maxFindings} findings` })
    const check = this.check(info)
    check.failed = true
    this.#counts.total++
    this.#counts[severity]++
    const item: Item = {
      namespace: cut(namespace ?? '') || null,
      resource: cut(resource ?? '') || null,
      message: cut(message),
      value: cut(value ?? '') || null,
    }
    if (identity !== undefined) item.identity = cut(identity)
    this.#indexer.addFinding(check.number, item, rankOf(severity))
  }

  /** A check that could not run: it neither passed nor failed. */
  notRun(info: CheckInfo, reason: string): void {
    this.check(info)
    const [id, name, why] = [info.id, info.name, reason].map((text) => text.slice(0, maxNameLength))
    this.#notRun.set(id!, { id: id!, name: name!, reason: why! })
  }

  image(reference: string, { namespace, resource }: Place): void {
    if (reference === '' || reference.length > 1024 || /\s/.test(reference) || this.#images.size === maxImages) return
    const workload = resource && stableResource(cut(resource))
    const image = { reference, namespace: namespace && cut(namespace), workload, helmChart: null, helmRelease: null }
    this.#images.set(`${reference}\n${namespace}\n${workload}`, image)
  }

  finish({ clusterName, generatedAt, kubernetesVersion, score, excludedNamespaces = [], listsPassed }: Head): Scan {
    const checks = [...this.#checks.values()]
    const isScore = score !== undefined && score >= 0 && score <= 100
    return {
      format: this.#format,
      clusterName: clusterName?.slice(0, 253),
      generatedAt,
      score: isScore
        ? { value: Math.round(score * 100) / 100, source: 'scanner' }
        : { value: computeScore(this.#counts), source: 'computed' },
      totalChecks: checks.length,
      failedChecks: checks.filter((check) => check.failed).length,
      checksNotRun: [...this.#notRun.values()],
      findings: this.#counts,
      scope: { excludedNamespaces, checkIds: listsPassed ? [...new Set(checks.map((check) => check.id))] : null },
      artifacts: {
        images: [...this.#images.values()],
        charts: [],
        apps: [],
        kubernetesVersion: kubernetesVersion?.slice(0, 100) ?? null,
        imageSource: this.#images.size > 0 ? 'artifacts' : 'findings',
      },
      index: this.#indexer.finish(),
    }
  }
}

/** On one line. */
function cut(text: string): string {
  return text.slice(0, maxTextLength).replace(/\s+/g, ' ').trim()
}
