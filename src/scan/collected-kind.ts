import { hash } from 'node:crypto'
import { toKubescapePlace } from '../reports/formats/kubescape/operator-place.ts'
import { toOperatorPlace } from '../reports/formats/trivy/operator-place.ts'
import { object } from '../reports/formats/values.ts'
import { isObject } from '../util/json.ts'
import { daySeconds, parseTimestamp, type UnixSeconds } from '../util/time.ts'
import { TrivyTrimmer, trimCompliance, trimKubescape, trimManifest, trimPolicy } from './kept-fields.ts'
import type { ReportKind } from './report-kinds.ts'
import type { ReportSource } from './report-source.ts'
import type { Running } from './running.ts'

type Values = Record<string, unknown>

interface Workload {
  namespace: string
  resource: string
  container?: string
}

export interface KindContext {
  source: ReportSource
  running: Running
  /** All running workloads are known: a report about any other is outdated. */
  isComplete: boolean
  now: UnixSeconds
  /** Kubescape's summaries, for its manifests. */
  summaries?: CollectedKind | undefined
}

export interface ReadKind {
  kind: ReportKind
  /** Undefined unless all could be read: a part would look like the whole. */
  reports?: CollectedKind
  why?: string
}

const staleSeconds = 7 * daySeconds
/** Kinds in an inventory. Trivy keeps reports of stopped workloads for a day. */
const runningKinds = new Set([
  'Pod',
  'ReplicaSet',
  'ReplicationController',
  'Job',
  'StatefulSet',
  'DaemonSet',
  'Deployment',
])

/** The reports of one kind, reduced to fields that are read, with those of one image merged. */
export class CollectedKind {
  readonly #kind: ReportKind & { apiVersion: string }
  readonly #context: KindContext
  readonly #trivy = new TrivyTrimmer()
  /** Identity → reports of images with equal content. */
  readonly #shared = new Map<string, { text: string; workloads: Map<string, Workload> }>()
  readonly #texts: Buffer[] = []
  /** Kubescape summaries, by the manifest with the vulnerabilities that they count. */
  readonly #summaries = new Map<string, { texts: Buffer[]; severities: unknown; workloads: Workload[] }>()
  /** Manifests in the list, whose summaries are therefore omitted. */
  readonly #manifests = new Set<string>()
  #named: ReadonlySet<string> = new Set()
  /** Namespaces of the reports. */
  readonly namespaces = new Set<string>()
  /** Namespace and resource → containers with a report, one per line. An empty name: the report covers all containers. */
  readonly #reported = new Map<string, Set<string>>()
  /** Place of the container → image of its report. */
  readonly #images = new Map<string, string>()
  /** Number of accepted reports. */
  count = 0
  stale = 0
  oldest: UnixSeconds | undefined

  constructor(kind: ReportKind & { apiVersion: string }, context: KindContext) {
    this.#kind = kind
    this.#context = context
  }

  take(item: unknown) {
    if (!isObject(item)) return
    // Objects in a typed list lack `kind` and `apiVersion`.
    const report: Values = { ...item, apiVersion: this.#kind.apiVersion, kind: this.#kind.kind }
    const { summaries } = this.#context
    if (summaries) this.#takeManifest(report, summaries)
    else this.#takeReport(report)
  }

  #takeReport(report: Values) {
    const workload = this.#toWorkload(report)
    if (workload === undefined) return
    this.count++
    this.#noteAge(report)
    const { namespace } = object(report.metadata)
    if (typeof namespace === 'string') this.namespaces.add(namespace)
    if (workload) this.#notePlace(workload, report)
    this.#keep(report, workload)
  }

  #notePlace({ namespace, resource, container = '' }: Workload, report: Values) {
    const place = `${namespace}\n${resource}`
    this.#reported.set(place, (this.#reported.get(place) ?? new Set()).add(container))
    const { repository, tag, digest } = object(object(report.report).artifact)
    if (repository !== undefined)
      this.#images.set(`${place}\n${container}`, JSON.stringify([repository, tag ?? digest]))
  }

  reports(namespace: string, resource: string) {
    return this.#reported.has(`${namespace}\n${resource}`)
  }

  reportsContainer(namespace: string, resource: string, container: string) {
    const containers = this.#reported.get(`${namespace}\n${resource}`)
    return containers !== undefined && (containers.has(container) || containers.has(''))
  }

  toImage(namespace: string, resource: string, container: string) {
    return this.#images.get(`${namespace}\n${resource}\n${container}`)
  }

  images() {
    return new Set(this.#images.values())
  }

  /** JSON texts of the reports. */
  *texts(): Generator<Buffer, void> {
    yield* this.#texts
    for (const [name, { texts }] of this.#summaries) if (!this.#named.has(name)) yield* texts
    for (const { text, workloads } of this.#shared.values()) {
      yield Buffer.from(`${text.slice(0, -1)},"workloads":${JSON.stringify([...workloads.values()])}}`)
    }
  }

  /** Drops summaries whose manifest was read. */
  nameBy(manifests: CollectedKind) {
    this.#named = manifests.#manifests
  }

  /** Takes manifests only of images that a workload runs. A manifest without content lists no vulnerabilities. */
  #takeManifest(report: Values, summaries: CollectedKind) {
    const name = object(report.metadata).name
    const of = typeof name === 'string' ? summaries.#summaries.get(name) : undefined
    if (typeof name !== 'string' || !of || !isObject(object(report.spec).payload)) return
    const trimmed = trimManifest(report)
    const spec = { ...object(trimmed.spec), severities: of.severities }
    if (!this.#manifests.has(name)) this.count++
    this.#manifests.add(name)
    this.#add({ ...trimmed, spec, workloads: of.workloads })
  }

  /**
   * The workload of a report; null: as stated in the report. Undefined for a report about a workload that no longer runs.
   */
  #toWorkload(report: Values) {
    const { source, running, isComplete } = this.#context
    if (source === 'policy-reports') return isComplete && isLeftOver(object(report.scope), running) ? undefined : null
    const {
      namespace = '',
      kind,
      name,
      container,
    } = source === 'kubescape' ? toKubescapePlace(report) : toOperatorPlace(report)
    if (kind === undefined || name === undefined) return null
    const isPast = isComplete && runningKinds.has(kind) && !running.isLive(namespace, { kind, name })
    if (source === 'trivy-operator' && (isPast || livesForNoTime(report))) return undefined
    return { namespace, resource: running.toWorkload(namespace, { kind, name }), ...(container && { container }) }
  }

  #keep(report: Values, workload: Workload | null) {
    const { source } = this.#context
    const manifest = toManifest(report)
    if (workload && manifest !== undefined) this.#keepSummary(report, workload, manifest)
    else if (workload && isObject(object(report.report).artifact)) this.#share(report, workload)
    else this.#add({ ...this.#trim(report, source), ...(workload && { workloads: [workload] }) })
  }

  #keepSummary(report: Values, workload: Workload, manifest: string) {
    const { severities } = object(report.spec)
    const known = this.#summaries.get(manifest) ?? { texts: [], severities, workloads: [] }
    known.texts.push(Buffer.from(JSON.stringify({ ...trimKubescape(report), workloads: [workload] })))
    known.workloads.push(workload)
    this.#summaries.set(manifest, known)
  }

  #trim(report: Values, source: ReportSource): Values {
    if (source === 'policy-reports') return trimPolicy(report)
    if (report.kind === 'ClusterComplianceReport') return trimCompliance(report)
    return source === 'kubescape' ? trimKubescape(report) : this.#trivy.trim(report)
  }

  #add(report: Values) {
    this.#texts.push(Buffer.from(JSON.stringify(report)))
  }

  /** Merges reports of an image only if their content is equal. One may predate an advisory that the other has. */
  #share(report: Values, workload: Workload) {
    const key = hash('sha256', this.#trivy.toIdentity(report), 'base64')
    const known = this.#shared.get(key) ?? { text: JSON.stringify(this.#trivy.trimImage(report)), workloads: new Map() }
    this.#shared.set(key, known)
    known.workloads.set(`${workload.namespace}\n${workload.resource}\n${workload.container}`, workload)
  }

  #noteAge({ metadata, report, status }: Values) {
    const times = [object(report).updateTimestamp, object(status).updateTimestamp, object(metadata).creationTimestamp]
    const at = times.map((time) => (typeof time === 'string' ? parseTimestamp(time) : undefined)).find(Boolean)
    if (at === undefined || at > this.#context.now - staleSeconds) return
    this.stale++
    this.oldest = Math.min(at, this.oldest ?? at)
  }
}

/** A report about a ReplicaSet that its Deployment has replaced. */
function isLeftOver({ kind, namespace, name }: Values, running: Running) {
  if (kind !== 'ReplicaSet' || typeof namespace !== 'string' || typeof name !== 'string') return false
  const isOwned = !running.toWorkload(namespace, { kind, name }).startsWith('replicaset/')
  return isOwned && !running.isLive(namespace, { kind, name })
}

/** The manifest with the vulnerabilities that a Kubescape summary counts. */
function toManifest({ kind, spec }: Values) {
  const { name } = object(object(object(spec).vulnerabilitiesRef).all)
  return kind === 'VulnerabilityManifestSummary' && typeof name === 'string' && name !== '' ? name : undefined
}

/** Trivy sets this time to live to mark a report for deletion. */
function livesForNoTime({ metadata }: Values) {
  const ttl = object(object(metadata).annotations)['trivy-operator.aquasecurity.github.io/report-ttl']
  return typeof ttl === 'string' && /^(?:0(?:\.0*)?(?:ns|us|\u00b5s|ms|s|m|h)?)+$/.test(ttl.trim())
}
