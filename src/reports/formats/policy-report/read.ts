import { ratedSeverities } from '../../../contract/choices.ts'
import type { JsonReader } from '../../../util/json.ts'
import { remember } from '../../../util/remember.ts'
import type { CheckInfo } from '../../finding-index.ts'
import { shown } from '../../not-run-text.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import { checkListEnd, readCollection } from '../collection.ts'
import { type Place, ScanCollector, unrated } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { readItems } from '../other-kinds.ts'
import { contradictionFor } from '../reconcile.ts'
import { misspelt, notOf, object, objects, openObjects, toResource, toRows, type Values } from '../values.ts'
import { isPolicyReport } from './kind.ts'

/**
 * Policy reports, as Kyverno, Kubewarden and others write them: `PolicyReport` and `ClusterPolicyReport` of `wgpolicyk8s.io`
 * and `reports.x-k8s.io`, `Report` and `ClusterReport` of `openreports.io`, single or in a list (`items`).
 */
export function readPolicyReport(bytes: Uint8Array) {
  const { reader, members } = openObjects(bytes)
  const reports = new PolicyReports()
  const head: Values = {}
  let items: JsonReader | undefined
  for (const key of members) {
    if (key === 'items') items = reader.later()
    else head[key] = reader.value()
  }
  reader.end()
  let found = reports.addList(items, head)
  if (isPolicyReport(head)) {
    reports.add(head)
    found = true
  }
  if (!found) throw notOf('policy-report', 'PolicyReport or Report')
  if (!isPolicyReport(head)) reports.checkList(head)
  return reports.finish(head.collection)
}

class PolicyReports {
  readonly #collector = new ScanCollector('policy-report')
  readonly #duplicates = new DuplicateCounter()
  readonly #evaluated = new Set<string>()
  /** False if the report lists only what failed. */
  #anyPassed = false
  /** Scope, policy and rule → the API group that says it: while an engine moves, two have the same reports. */
  readonly #groups = new Map<string, string>()
  readonly #skipped = new Map<string, { check: CheckInfo; reason: string }>()

  addList(items: JsonReader | undefined, list: Values) {
    return readItems(items, list, this.#collector, { isReport: isPolicyReport, read: (item) => this.add(item) })
  }

  /** Checks the members of a list other than its items. */
  checkList(head: Values) {
    this.#collector.gap('Reports', strangeMember(head, rootShape))
    checkListEnd(head.metadata, this.#collector)
  }

  add(report: Values) {
    const source = string(report.source)
    const own = string(object(report.metadata).namespace) ?? null
    const scope = object(report.scope)
    const results = toRows(report.results, 'items.results')
    const name = string(object(report.metadata).name) ?? 'without a name'
    const gap = gapFor(report, results)
    this.#collector.gap(`Report ${name}`, gap)
    if (gap === undefined || results.length > 0) this.#collector.lookedAt()
    const group = string(report.apiVersion)?.split('/')[0] ?? ''
    for (const result of results) {
      const subjects = objects(result.resources)
      const places = (subjects.length > 0 ? subjects : [scope]).map((subject) => placeFor(subject, own))
      for (const place of places) {
        this.#collector.reported('*', place)
        this.#collector.inNamespace(place.namespace)
        this.#collector.node(place.resource, outcomeFor(result) === 'pass')
      }
      const what = JSON.stringify([places, result.policy, result.rule])
      if (remember(this.#groups, what, () => group) === group) this.#addResult(result, source, places)
    }
    if (scope.name !== undefined) this.#collector.reported('*', placeFor(scope, own))
  }

  finish(collection: unknown) {
    const coverage = readCollection(collection, this.#collector)
    // A rule skipped for some resources has preconditions. A rule skipped for all was not evaluated.
    for (const [key, { check, reason }] of this.#skipped) {
      if (!this.#evaluated.has(key)) this.#collector.notRun(check, reason)
    }
    return this.#collector.finish({ clusterName: undefined, ...coverage, listsPassed: this.#anyPassed })
  }

  #addResult(result: Values, reportSource: string | undefined, places: Place[]) {
    const rule = string(result.rule)
    const policy = string(result.policy) ?? rule ?? 'without a policy'
    const id = rule && rule !== policy ? `${policy}/${rule}` : policy
    const source = string(result.source) ?? reportSource
    const check = { id, name: id, category: string(result.category) ?? source ?? '' }
    const key = `${check.id}\n${check.category}`
    const message = string(result.message) ?? string(result.description)
    const outcome = outcomeFor(result)
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
      this.#collector.notUnderstood(check, `its result is ${outcome === undefined ? 'missing' : shown(outcome)}`)
      return
    }
    this.#evaluated.add(key)
    this.#collector.passed(check, outcome === 'pass' ? strangeMember(result, resultShape) : undefined)
    if (outcome === 'pass') {
      this.#anyPassed = true
      return
    }
    const severity = severityFor(result, outcome)
    for (const place of places) {
      const said = message ?? check.name
      // Findings survive a reworded policy message. Only events without a resource are identified by their message.
      const identity = place.resource === null ? undefined : (source ?? '')
      const item = { ...place, message: said, value: source ?? null, ...(identity !== undefined && { identity }) }
      const twin =
        place.resource === null ? 0 : this.#duplicates.of(JSON.stringify([key, place.namespace, place.resource]), said)
      if (exception === undefined) this.#collector.finding(check, severity, item, twin)
      else this.#collector.suppressed(check, severity, item, { reason: exception, until: undefined }, twin)
    }
  }
}

/** A cluster-scoped resource has no namespace; in a namespaced report, subjects may omit theirs. */
function placeFor(subject: Values, own: string | null): Place {
  const [kind, name] = [string(subject.kind), string(subject.name)]
  return {
    namespace: kind === 'Namespace' ? (name ?? own) : (string(subject.namespace) ?? own),
    resource: toResource(kind, name),
  }
}

const outcomeFor = (result: Values) => (string(result.result) ?? string(result.status))?.toLowerCase()

/** A policy without a severity is medium, or low if it only warns. */
function severityFor(result: Values, outcome: string) {
  const { severity: word } = result
  if (word == null || word === '') {
    return misspelt(result, ['severity']) === undefined ? unrated(outcome === 'warn' ? 'low' : 'medium') : 'unknown'
  }
  return ratedSeverities.find((severity) => severity === string(word)?.toLowerCase()) ?? 'unknown'
}

const nouns = { fail: 'results fail', warn: 'results warn', error: 'results error', pass: 'results pass' } as const

const resultFields = 'policy rule result severity message resources'
const rootShape = shapeFor({ known: 'apiVersion kind items collection', unread: 'metadata', rows: resultFields })
const reportShape = shapeFor({
  known: 'apiVersion kind summary results source collection',
  unread: 'metadata scope scopeSelector configuration',
  rows: resultFields,
})
const summaryShape = shapeFor({ known: 'pass fail warn error skip' })
const resultShape = shapeFor({
  known:
    'source policy rule category severity timestamp result status scored resources resourceSelector subjects ' +
    'message description properties id',
})

/** Why a report may hide findings: its summary counts more than it lists, or nothing shows that it is about something. */
function gapFor(report: Values, results: Values[]) {
  const summary = object(report.summary)
  const counts = Object.entries(nouns).map(([word, noun]) => ({
    noun,
    counted: summary[word],
    listed: results.filter((result) => outcomeFor(result) === word).length,
    isPassed: word === 'pass',
  }))
  const gap =
    contradictionFor('its summary', counts) ??
    strangeMember(report, reportShape) ??
    strangeMember(summary, summaryShape)
  if (gap !== undefined) return gap
  const isStated =
    Array.isArray(report.results) || Object.keys(summary).length > 0 || string(object(report.scope).name) !== undefined
  return isStated ? undefined : 'it has neither results nor a summary'
}
