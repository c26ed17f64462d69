import { findingSeverities } from '../../../contract/choices.ts'
import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import type { JsonReader } from '../../../util/json.ts'
import { string } from '../../read.ts'
import type { Scan } from '../../scan.ts'
import { readCollection } from '../collection.ts'
import { type Place, ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { OtherKinds } from '../other-kinds.ts'
import { eachObject, notOf, object, objects, openObject } from '../values.ts'
import { isPolicyReport } from './kind.ts'

type Values = Record<string, unknown>

/**
 * Policy reports as Kyverno, Kubewarden and others write them: `PolicyReport` and `ClusterPolicyReport` of `wgpolicyk8s.io`,
 * `Report` and `ClusterReport` of `openreports.io`, single or in a list (`items`).
 */
export function readPolicyReport(bytes: Uint8Array): Scan {
  const reader = openObject(bytes)
  const reports = new PolicyReports()
  const head: Values = {}
  let found = false
  for (const key of reader.members()) {
    if (key === 'items') found = reports.addList(reader)
    else head[key] = reader.value()
  }
  reader.end()
  if (isPolicyReport(head)) {
    reports.add(head)
    found = true
  }
  if (!found) throw notOf('policy-report', 'PolicyReport or Report')
  return reports.finish(head.collection)
}

interface PolicyCheck {
  id: string
  name: string
  category: string
}

class PolicyReports {
  readonly #collector = new ScanCollector('policy-report')
  readonly #duplicates = new DuplicateCounter()
  readonly #evaluated = new Set<string>()
  readonly #skipped = new Map<string, { check: PolicyCheck; reason: string }>()

  addList(reader: JsonReader): boolean {
    let found = false
    const others = new OtherKinds()
    for (const item of eachObject(reader, 'items')) {
      if (isPolicyReport(item)) {
        this.add(item)
        found = true
      } else others.add(item)
    }
    others.warn(this.#collector)
    return found
  }

  add(report: Values): void {
    const source = string(report.source)
    const own = string(object(report.metadata).namespace) ?? null
    const scope = object(report.scope)
    for (const result of objects(report.results)) {
      const subjects = objects(result.resources)
      const places = (subjects.length > 0 ? subjects : [scope]).map((subject) => placeOf(subject, own))
      for (const place of places) this.#collector.reported('*', place)
      this.#addResult(result, source, places)
    }
    if (scope.name !== undefined) this.#collector.reported('*', placeOf(scope, own))
  }

  finish(collection: unknown): Scan {
    const coverage = readCollection(collection, this.#collector)
    // Skipped somewhere is the rule with preconditions. Skipped everywhere means that nothing was evaluated.
    for (const [key, { check, reason }] of this.#skipped) {
      if (!this.#evaluated.has(key)) this.#collector.notRun(check, reason)
    }
    return this.#collector.finish({ clusterName: undefined, ...coverage, listsPassed: true })
  }

  #addResult(result: Values, reportSource: string | undefined, places: Place[]): void {
    const [policy, rule] = [string(result.policy), string(result.rule)]
    if (!policy) return
    this.#collector.lookedAt()
    const id = rule && rule !== policy ? `${policy}/${rule}` : policy
    const source = string(result.source) ?? reportSource
    const check = { id, name: id, category: string(result.category) ?? source ?? '' }
    const key = `${check.id}\n${check.category}`
    const message = string(result.message) ?? string(result.description)
    const outcome = string(result.result) ?? string(result.status)
    if (outcome === 'error') {
      this.#collector.notRun(check, message ?? 'The policy engine reported an error.')
      return
    }
    const exception = outcome === 'skip' ? string(object(result.properties).exceptions) : undefined
    if (outcome === 'skip' && exception === undefined) {
      this.#skipped.set(key, { check, reason: message ?? 'The policy engine skipped it.' })
      return
    }
    if (outcome !== 'pass' && outcome !== 'fail' && outcome !== 'warn' && outcome !== 'skip') {
      this.#collector.notRun(check, `Its result is ${outcome ? `"${outcome.slice(0, 50)}"` : 'missing'}.`)
      return
    }
    this.#evaluated.add(key)
    this.#collector.check(check)
    if (outcome === 'pass') return
    const severity = severityOf(result.severity) ?? (outcome === 'warn' ? 'low' : 'medium')
    for (const place of places) {
      const said = message ?? check.name
      // A policy that is reworded keeps its findings. Events without a resource differ by their message only.
      const identity = place.resource === null ? undefined : (source ?? '')
      const item = { ...place, message: said, value: source ?? null, ...(identity !== undefined && { identity }) }
      const twin =
        place.resource === null ? 0 : this.#duplicates.of(JSON.stringify([key, place.namespace, place.resource]), said)
      if (exception === undefined) this.#collector.finding(check, severity, item, twin)
      else this.#collector.suppressed(check, severity, item, { reason: exception, until: undefined }, twin)
    }
  }
}

/** A resource of the whole cluster names no namespace; in a report of a namespace, subjects may leave it out. */
function placeOf(subject: Values, own: string | null): Place {
  const [kind, name] = [string(subject.kind), string(subject.name)]
  return {
    namespace: kind === 'Namespace' ? (name ?? own) : (string(subject.namespace) ?? own),
    resource: kind && name ? `${kind.toLowerCase()}/${name}` : null,
  }
}

function severityOf(word: unknown): FindingSeverity | undefined {
  return findingSeverities.find((severity) => severity === string(word)?.toLowerCase())
}
