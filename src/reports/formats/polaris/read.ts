import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { invalidParams } from '../../../errors.ts'
import { isObject } from '../../../util/json.ts'
import { folderSubject } from '../../ledger.ts'
import { shown } from '../../not-run-text.ts'
import { type Shape, shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import { type Place, ScanCollector } from '../collector.ts'
import {
  eachObject,
  membersFor,
  notOf,
  number,
  object,
  openObject,
  time,
  toResource,
  toRows,
  type Values,
} from '../values.ts'

/** Polaris does not run checks configured as `ignore`. */
const severities = new Map<string, FindingSeverity>([
  ['danger', 'high'],
  ['error', 'high'],
  ['warning', 'medium'],
])

/** `polaris audit --format json`, output version 1.0: one result per workload, with results of its pod and containers. */
export function readPolaris(bytes: Uint8Array) {
  const results = new Results()
  const reader = openObject(bytes)
  const head: Values = {}
  let found = false
  for (const key of reader.members()) {
    if (key !== 'Results') head[key] = reader.value()
    else {
      found = true
      for (const result of eachObject(reader, 'Results')) results.add(result)
    }
  }
  reader.end()
  if (!found) throw notOf('polaris', 'Results')
  const { SourceType, SourceName } = head
  const isOfFiles = SourceType === 'Path' || SourceType === 'Content'
  if (isOfFiles) results.collector.subject(folderSubject(string(SourceName) ?? '.'))
  const isPartial = SourceType === 'ClusterNamespace' || SourceType === 'Resource'
  results.collector.gap('Results', strangeMember(head, rootShape))
  return results.collector.finish({
    clusterName:
      SourceType === 'Cluster' || SourceType === 'ClusterNamespace'
        ? (string(head.DisplayName) ?? string(head.SourceName))
        : undefined,
    ...(isPartial && { includedNamespaces: [...results.namespaces] }),
    generatedAt: time(head.AuditTime),
    kubernetesVersion: string(object(head.ClusterInfo).Version),
    score: number(head.Score),
    explainedScore: results.score(),
    listsPassed: results.anyPassed,
  })
}

const messageFields = 'ID Message Success Severity Category'

const rootShape = shapeFor({
  known: 'PolarisOutputVersion AuditTime SourceType SourceName DisplayName Results Score',
  unread: 'ClusterInfo',
  rows: `${messageFields} PodResult ContainerResults`,
})
const resultShape = shapeFor({ known: 'Name Namespace Kind Results PodResult CreatedTime', rows: messageFields })
const podShape = shapeFor({ known: 'Name Results ContainerResults', rows: messageFields })
const messageShape = shapeFor({ known: 'ID Message Details Success Severity Category Mutations' })

class Results {
  readonly collector = new ScanCollector('polaris')
  readonly namespaces = new Set<string>()
  /** False if the report lists failed checks only. */
  anyPassed = false
  /** Passed checks, weighted as Polaris does. */
  #passed = 0
  #failed = 0

  /** Score by Polaris's formula; undefined if the report may omit passed checks. */
  score() {
    return this.anyPassed ? (100 * this.#passed) / (this.#passed + this.#failed) : undefined
  }

  add(result: Values) {
    this.collector.lookedAt()
    const resource = toResource(string(result.Kind), string(result.Name))
    const place = { namespace: string(result.Namespace) ?? null, resource }
    if (place.namespace) this.namespaces.add(place.namespace)
    this.#addSet(result.Results, place, 'workload')
    const pod = toPod(result)
    this.#addSet(pod.Results, place, 'pod')
    for (const container of toRows(pod.ContainerResults, 'Results.PodResult.ContainerResults')) {
      this.#addSet(container.Results, place, 'container', string(container.Name))
      this.#expect(container, ['Results'], place, podShape)
    }
    this.#expect(result, ['Results', 'PodResult'], place, resultShape)
    if (result.PodResult) this.#expect(pod, ['Results', 'ContainerResults'], place, podShape)
  }

  /** Records a gap if one of the members that Polaris always writes is missing. */
  #expect(values: Values, names: string[], place: Place, shape: Shape) {
    const missing = names.find((name) => values[name] === undefined)
    const gap = missing === undefined ? strangeMember(values, shape) : `it has no ${missing}`
    this.collector.gap(`Results of ${place.resource ?? 'a workload'}`, gap)
  }

  #addSet(set: unknown, place: Place, level: string, container?: string) {
    for (const [key, result] of membersFor(set, 'Results.Results')) {
      const id = string(result.ID) ?? key
      const word = string(result.Severity)?.toLowerCase() ?? ''
      if (word === 'ignore') continue
      const severity = severities.get(word) ?? 'unknown'
      const check = { id, name: id, category: string(result.Category) ?? '' }
      if (result.Success === true) {
        this.anyPassed = true
        this.#passed += 2
        this.collector.passed(check, strangeMember(result, messageShape))
      } else if (result.Success !== false && string(result.Success)?.toLowerCase() !== 'false') {
        this.collector.notUnderstood(check, `its Success is ${shown(result.Success)}`)
      } else {
        this.#failed += word === 'warning' ? 1 : 2
        const message = describe(result) ?? id
        // A check has one result per container, pod or workload, so its message is no part of the identity.
        const identity = `${level}\n${container ?? ''}`
        this.collector.finding(check, severity, { ...place, message, value: container ?? null, identity })
      }
    }
  }
}

function toPod({ PodResult }: Values) {
  if (PodResult == null || isObject(PodResult)) return object(PodResult)
  throw invalidParams({ 'report.Results.PodResult': 'must be an object' })
}

function describe({ Message, Details }: Values) {
  const details = Array.isArray(Details) ? Details.flatMap((detail) => string(detail) ?? []) : []
  return [string(Message), ...details].filter((part) => part !== undefined).join(': ') || undefined
}
