import type { JsonReader } from '../../../util/json.ts'
import { readRecommendation } from '../../guidance.ts'
import { folderSubject } from '../../ledger.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string, strings } from '../../text.ts'
import { checkListEnd, readCollection } from '../collection.ts'
import { ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { readItems } from '../other-kinds.ts'
import {
  eachObject,
  membersFor,
  notOf,
  number,
  object,
  objects,
  openObjects,
  time,
  toRows,
  type Values,
} from '../values.ts'
import {
  doubtOfResource,
  failedPaths,
  isException,
  type Status,
  severityOfFactor,
  skipReason,
  statusFor,
} from './control.ts'
import { readKubescapeObject } from './operator.ts'
import { toKubescapeKind } from './operator-kind.ts'
import { type Control, checkSummary, doubtOfPassed, readCoverage } from './summary.ts'
import { readVulnerabilities } from './vulnerabilities.ts'

const rootShape = shapeFor({
  known:
    'generationTime clusterAPIServerInfo clusterCloudProvider customerGUID customerGUIDGenerated clusterName reportGUID ' +
    'jobID summaryDetails resources results exceptionAudit scanCoverage apiVersion kind items collection spec status',
  unread: 'attributes metadata paginationInfo resourceLabels',
  rows: 'resourceID controls controlID rawResource',
})

const resultShape = shapeFor({ known: 'resourceID controls prioritizedResource rawResource' })

/**
 * `kubescape scan --format json`, versions 2 and 3: `summaryDetails` has the controls, `results` the resources that failed
 * them, `resources` the objects in the cluster. Operator reports come single or in a list (`items`).
 */
export function readKubescape(bytes: Uint8Array) {
  const { reader, members } = openObjects(bytes)
  const collector = new ScanCollector('kubescape')
  const head: Values = {}
  let results: JsonReader | undefined
  let items: JsonReader | undefined
  for (const key of members) {
    if (key === 'results') results = reader.later()
    else if (key === 'resources') readImages(reader, collector)
    else if (key === 'items') items = reader.later()
    else head[key] = reader.value()
  }
  reader.end()
  let found = readItems(items, head, collector, { isReport: toKubescapeKind, read: readKubescapeObject })
  if (found) checkListEnd(head.metadata, collector)
  if (toKubescapeKind(head)) {
    readKubescapeObject(head, collector)
    found = true
  }
  if (found) {
    const collection = readCollection(head.collection, collector)
    return collector.finish({ clusterName: undefined, ...collection, listsPassed: true })
  }
  const files = filesScanned(head)
  if (files !== undefined) collector.subject(folderSubject(files))
  collector.gap('Results', strangeMember(head, rootShape))
  readSummary(head, results, collector)
  return collector.finish({ ...describe(head), listsPassed: true })
}

/** Adds the controls, with their results. */
function readSummary(head: Values, results: JsonReader | undefined, collector: ScanCollector) {
  const summary = object(head.summaryDetails)
  const controls = readControls(summary, collector)
  if (controls.size === 0 && !results) throw notOf('kubescape', 'summaryDetails.controls and no results')
  for (const control of controls.values()) {
    collector.check(control)
    if (control.notRun !== undefined) collector.notRun(control, control.notRun)
  }
  const listed = results ? readResults(results, controls, collector) : new Map<string, number>()
  for (const control of controls.values()) {
    const found = listed.get(control.id) ?? 0
    if (found < control.failed) {
      const reason = `the summary counts ${control.failed} failed resources, and the results list ${found}`
      collector.notUnderstood(control, reason)
    }
    control.hasFailed ||= listed.has(control.id)
  }
  checkSummary(summary, controls, collector)
  readCoverage(head.scanCoverage, controls, collector)
  readVulnerabilities(summary.vulnerabilities, collector)
}

/** Cluster name, time, Kubernetes version and score of the scan. */
function describe(head: Values) {
  const metadata = object(head.metadata)
  const context = object(contextFor(metadata).clusterContextMetadata)
  const { excludedNamespaces, includeNamespaces } = object(metadata.scanMetadata)
  return {
    clusterName:
      string(head.clusterName) ?? string(context.contextName) ?? string(object(metadata.clusterMetadata).contextName),
    generatedAt: time(head.generationTime),
    kubernetesVersion: string(object(head.clusterAPIServerInfo).gitVersion),
    score: number(object(head.summaryDetails).complianceScore),
    excludedNamespaces: strings(excludedNamespaces),
    includedNamespaces: strings(includeNamespaces),
  }
}

/** Newer versions call the context of a scan its target. */
const contextFor = ({ targetMetadata, contextMetadata }: Values) => object(targetMetadata ?? contextMetadata)

/** The path or repository of manifests; undefined if the scan was of a cluster (`scanningTarget` 0). */
function filesScanned(head: Values) {
  const metadata = object(head.metadata)
  const context = contextFor(metadata)
  const { scanningTarget } = object(metadata.scanMetadata)
  if (context.clusterContextMetadata || scanningTarget === 0 || scanningTarget === undefined) return undefined
  const { repo, owner } = object(context.gitRepoContextMetadata)
  return (
    string(object(context.directoryContextMetadata).basePath) ??
    string(object(context.fileContextMetadata).filePath) ??
    ([owner, repo].flatMap((part) => string(part) ?? []).join('/') || '.')
  )
}

function readControls(summary: Values, collector: ScanCollector): Map<string, Control> {
  return new Map(
    membersFor(summary.controls, 'summaryDetails.controls').map(([key, control]) => {
      const read = readControl(key, control)
      const isPassed = !read.hasFailed && skipReason(statusFor(control.statusInfo ?? control.status)) === undefined
      collector.passed(read, isPassed ? doubtOfPassed(control) : undefined)
      return [read.id, read]
    }),
  )
}

function readControl(key: string, control: Values): Control {
  const id = string(control.controlID) ?? key
  const status = statusFor(control.statusInfo ?? control.status)
  return {
    id,
    name: string(control.name) ?? id,
    category: string(object(control.category).name) ?? '',
    severity: severityOfFactor(number(control.scoreFactor)),
    notRun: skipReason(status),
    failed: Math.max(number(object(control.ResourceCounters).failedResources) ?? 0, status.status === 'failed' ? 1 : 0),
    hasFailed: status.status === 'failed',
    complianceScore: number(control.complianceScore),
    recommendation: readRecommendation(control.remediation),
  }
}

/** Returns the number of failed resources of each control, including suppressed ones. */
function readResults(reader: JsonReader, controls: Map<string, Control>, collector: ScanCollector) {
  const duplicates = new DuplicateCounter()
  const listed = new Map<string, number>()
  for (const result of eachObject(reader, 'results')) {
    const resourceId = string(result.resourceID)
    collector.lookedAt()
    if (toRows(result.controls, 'results.controls').length === 0)
      collector.gap(`Results of ${resourceId ?? 'a resource'}`, 'they have no controls')
    const place = resourceId === undefined ? noPlace : parseResourceId(resourceId)
    const key = `${place.namespace}\n${place.resource}\n${place.identity}`
    collector.node(place.resource, listsPassed(result))
    collector.gap(`Results of ${resourceId ?? 'a resource'}`, strangeMember(result, resultShape))
    for (const control of toRows(result.controls, 'results.controls')) {
      const check = controls.get(string(control.controlID) ?? '') ?? unnamedControl(control)
      const status = statusOfControl(control)
      const reason = skipReason(status)
      if (reason !== undefined) collector.notRun(check, reason)
      else if (status.status !== 'failed') collector.passed(check, doubtOfResource(control))
      if (status.status !== 'failed' && !isException(status)) continue
      listed.set(check.id, (listed.get(check.id) ?? 0) + 1)
      const item = { ...place, message: check.name, value: failedPaths(control).join(', ') || null }
      const twin = duplicates.of(`${check.id}\n${key}`, resourceId ?? '')
      if (isException(status)) collector.suppressed(check, check.severity, item, toException(control), twin)
      else collector.finding(check, check.severity, item, twin)
    }
  }
  reader.end()
  return listed
}

/**
 * Parses `apps/v1/shop/Deployment/web`, `/v1/shop/Pod/web-5d9c-x`, for a file `path=3141/api=apps/v1/shop/Deployment/web`,
 * and for a subject with its role `rbac.authorization.k8s.io//Group/devs/rbac.authorization.k8s.io/v1//ClusterRole/admin`,
 * where the subject distinguishes findings.
 */
function parseResourceId(id: string) {
  const parts = id.split('/')
  const [namespace, kind, name] = parts.slice(-3)
  const owner = parts.slice(0, -3).join('/')
  const api = toApi.exec(owner)
  return {
    namespace: namespace || null,
    resource: kind && name ? `${kind.toLowerCase()}/${name}` : id,
    // A Knative Service differs from a core Service of the same name. The API version does not matter.
    identity: api ? (api[1] ?? '') : owner,
  }
}

/** An API group (none for core) and a version, maybe after a file's path. */
const toApi = /^(?:path=\d+\/api=)?(?:([^/]+)\/)?[^/]*$/

const listsPassed = (result: Values) =>
  toRows(result.controls, 'results.controls').some((control) => statusOfControl(control).status === 'passed')

const noPlace = { namespace: null, resource: null, identity: '' }

/** A control in the results that the summary lacks. */
function unnamedControl({ controlID, name }: Values): Control {
  const id = string(controlID) ?? string(name) ?? 'without an id'
  return { id, name: string(name) ?? id, category: '', severity: 'unknown', failed: 0, hasFailed: false }
}

/** Version 3 has a status for each control; version 2 only for its rules. */
function statusOfControl(control: Values) {
  const status = statusFor(control.status)
  if (status.status !== undefined) return status
  const rules = objects(control.rules).map((rule) => statusFor(rule))
  const isKnown = (rule: Status) => ['failed', 'error', 'skipped', 'excluded', 'passed'].includes(rule.status ?? '')
  return (
    rules.find((rule) => rule.status === 'failed') ??
    rules.find((rule) => !isKnown(rule)) ??
    ['error', 'skipped', 'excluded', 'passed']
      .map((word) => rules.find(({ status }) => status === word))
      .find((rule) => rule !== undefined) ??
    status
  )
}

function toException(control: Values) {
  const [exception = {}] = objects(control.rules).flatMap((rule) => objects(rule.exception))
  return { reason: string(exception.reason) ?? string(exception.name), until: string(exception.expirationDate) }
}

function readImages(reader: JsonReader, collector: ScanCollector) {
  for (const resource of eachObject(reader, 'resources')) {
    const id = string(resource.resourceID)
    if (!id) continue
    const { namespace, resource: workload } = parseResourceId(id)
    for (const image of toImages(resource.object)) collector.image(image, { namespace, resource: workload })
  }
}

/** The images in a Kubernetes object with a pod or pod template. */
function toImages(manifest: unknown) {
  const spec = object(object(manifest).spec)
  const template = object(object(object(object(spec.jobTemplate).spec).template ?? spec.template).spec)
  return [spec, template].flatMap((pod) =>
    [pod.initContainers, pod.containers].flatMap(objects).flatMap((container) => string(container.image) ?? []),
  )
}
