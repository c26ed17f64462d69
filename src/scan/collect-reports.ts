import { ReltError } from '../errors.ts'
import type { Collection } from '../reports/formats/collection.ts'
import { isObject } from '../util/json.ts'
import { formatTimestamp, parseTimestamp, type UnixSeconds } from '../util/time.ts'
import type { ScanEnv } from './environment.ts'
import { findKubectl, getAll, getRaw, type Kubectl, type KubectlAnswer } from './kubectl.ts'
import { readList } from './read-list.ts'
import type { ReportSource } from './report-source.ts'

export interface CollectOptions {
  source: ReportSource
  env: ScanEnv
  /** Context of kubectl (default: the current one). */
  context?: string | undefined
  signal: AbortSignal
  /** Namespaces in which workloads run; undefined when that is unknown. */
  namespaces: string[] | undefined
  now: () => UnixSeconds
}

export interface CollectedReports {
  /** JSON text: a list of the operator's reports. */
  report: Buffer
  count: number
  /** Gaps of the list and old reports, one sentence each. */
  warnings: string[]
}

interface ReportKind {
  kind: string
  /** Name of the resource with its group. */
  resource: string
  /** Version of a resource that an API server of its own serves, not as a custom resource. */
  rawVersion?: string
  /** See `UnreadKind`. Empty when the report names all its checks, passed ones too, and no other kind has them. */
  category: string
  /** An operator with its default settings has reports of this kind. */
  expected?: boolean
  /** There is a report for each namespace with workloads. */
  perNamespace?: boolean
}

const trivy = (kind: string, category: string, more: Partial<ReportKind> = {}): ReportKind => {
  const resource = `${kind.toLowerCase()}s.aquasecurity.github.io`
  return { kind, resource, category, ...more }
}
const kubescape = (kind: string, resource: string): ReportKind => ({
  ...{ kind, resource: `${resource}.spdx.softwarecomposition.kubescape.io`, rawVersion: 'v1beta1' },
  ...{ category: '', expected: true, perNamespace: true },
})
const policy = (kind: string, group: string): ReportKind => ({
  ...{ kind, resource: `${kind.toLowerCase()}s.${group}`, category: '*' },
})

const kindsOf: Record<ReportSource, ReportKind[]> = {
  'trivy-operator': [
    trivy('VulnerabilityReport', 'Vulnerability', { expected: true, perNamespace: true }),
    trivy('ConfigAuditReport', 'Misconfiguration', { expected: true, perNamespace: true }),
    trivy('ExposedSecretReport', 'Secret', { expected: true }),
    trivy('RbacAssessmentReport', 'Misconfiguration', { expected: true }),
    trivy('InfraAssessmentReport', 'Misconfiguration'),
    trivy('ClusterRbacAssessmentReport', 'Misconfiguration'),
    trivy('ClusterConfigAuditReport', 'Misconfiguration'),
    trivy('ClusterInfraAssessmentReport', 'Misconfiguration'),
    trivy('ClusterVulnerabilityReport', 'Vulnerability'),
  ],
  kubescape: [
    kubescape('WorkloadConfigurationScan', 'workloadconfigurationscans'),
    kubescape('VulnerabilityManifestSummary', 'vulnerabilitymanifestsummaries'),
  ],
  'policy-reports': [
    policy('PolicyReport', 'wgpolicyk8s.io'),
    policy('ClusterPolicyReport', 'wgpolicyk8s.io'),
    policy('Report', 'openreports.io'),
    policy('ClusterReport', 'openreports.io'),
  ],
}

/** The service's limit for a report. */
const maxBytes = 100 * 1024 * 1024
const pageSize = 500
/** More pages than any cluster has: a server that repeats its answer is not asked forever. */
const maxPages = 2000
const staleDays = 7

/**
 * Reads the reports of an operator with kubectl. A kind without a report is named in the list, so that the findings of an
 * earlier run do not seem resolved. Throws `usage` without kubectl, `scan_failed` when there is no report, `too_large` and
 * `cancelled`.
 */
export async function collectReports(options: CollectOptions): Promise<CollectedReports> {
  const { source, env, context, signal, namespaces, now } = options
  const file = findKubectl(env)
  if (file === undefined) {
    throw new ReltError('usage', 'kubectl is not on PATH, so no reports can be collected.', {
      hint: 'Install kubectl, or run relt where it is installed.',
    })
  }
  const kubectl = { file, env, signal, context }
  const items: string[] = []
  const seen = new Map<string, Set<string>>()
  const unread: Collection['unread_kinds'] = []
  const ages: Ages = { stale: 0, oldest: undefined }
  const at = now()
  let size = 0
  let isInstalled = false
  for (const kind of kindsOf[source]) {
    const places = new Set<string>()
    const ofKind: string[] = []
    const failure = await eachReport(kubectl, kind, (item) => {
      const text = JSON.stringify(item)
      size += Buffer.byteLength(text) + 1
      if (size > maxBytes) throw tooLarge(source)
      ofKind.push(text)
      const { namespace } = isObject(item.metadata) ? item.metadata : {}
      if (typeof namespace === 'string') places.add(namespace)
      noteAge(ages, item, at)
    })
    isInstalled ||= failure === undefined
    const gap = gapOf(failure, ofKind.length, kind)
    if (gap) unread.push(gap)
    // Part of a list would pass for the whole of it.
    if (failure !== undefined) continue
    items.push(...ofKind)
    if (ofKind.length > 0) seen.set(kind.kind, places)
  }
  if (items.length === 0) throw noReports(source, unread, isInstalled)
  const unreported = withoutReports(kindsOf[source], seen, namespaces ?? [])
  const collection: Collection = {
    source,
    collected_at: formatTimestamp(at),
    unread_kinds: unread,
    unreported_namespaces: unreported,
  }
  const head = JSON.stringify({ apiVersion: 'v1', kind: 'List', collection })
  const report = Buffer.from(`${head.slice(0, -1)},"items":[${items.join(',')}]}`)
  if (report.length > maxBytes) throw tooLarge(source)
  return { report, count: items.length, warnings: warningsOf({ source, unread, unreported, namespaces, ages }) }
}

const nothing = 'The operator has no report of this kind yet.'

/** A kind that older versions do not have is not expected. One that may not be read is. */
function gapOf(failure: string | undefined, count: number, { kind, category, expected = false }: ReportKind) {
  if (failure !== undefined) return { kind, category, reason: failure, expected: expected || !isNotInstalled(failure) }
  return count === 0 && expected ? { kind, category, reason: nothing, expected } : undefined
}

/** kubectl's sentence about a resource that the cluster does not have. */
const isNotInstalled = (reason: string): boolean =>
  /the server doesn't have a resource type|could not find the requested resource|\(NotFound\)/i.test(reason)

/** Returns why not all of the kind's reports could be read. */
async function eachReport(
  kubectl: Kubectl,
  { resource, rawVersion }: ReportKind,
  take: (item: Record<string, unknown>) => void,
): Promise<string | undefined> {
  if (rawVersion === undefined) {
    const answer = await getAll(kubectl, resource, [`--chunk-size=${pageSize}`])
    return takeItems(answer, resource, take).why
  }
  // This API server leaves `spec` out of a list unless it is asked for the whole, which only a raw path can do.
  const [plural = '', ...group] = resource.split('.')
  const path = `/apis/${group.join('.')}/${rawVersion}/${plural}?resourceVersion=fullSpec&limit=${pageSize}`
  let next: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const url = next === undefined ? path : `${path}&continue=${encodeURIComponent(next)}`
    const { why, next: following } = takeItems(await getRaw(kubectl, url), resource, take)
    if (why !== undefined || following === undefined) return why
    if (following === next) return 'The API server repeats a page of the list.'
    next = following
  }
  return `There are more than ${maxPages * pageSize} reports.`
}

function takeItems(
  answer: KubectlAnswer,
  resource: string,
  take: (item: Record<string, unknown>) => void,
): { why?: string; next?: string } {
  if ('why' in answer) return answer
  const next = { token: undefined as string | undefined }
  for (const item of readList(answer.bytes, `The list of ${resource}`, (token) => {
    next.token = token
  })) {
    if (isObject(item)) take(withoutBallast(item))
  }
  return next.token ? { next: next.token } : {}
}

/** Removes bookkeeping of the API server, which can be larger than the report. */
function withoutBallast(item: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(item.metadata)) return item
  const { managedFields: _, annotations, ...metadata } = item.metadata
  const { 'kubectl.kubernetes.io/last-applied-configuration': __, ...kept } = isObject(annotations) ? annotations : {}
  return { ...item, metadata: { ...metadata, ...(Object.keys(kept).length > 0 && { annotations: kept }) } }
}

interface Ages {
  stale: number
  oldest: UnixSeconds | undefined
}

function noteAge(ages: Ages, { metadata, report }: Record<string, unknown>, now: UnixSeconds): void {
  const updated = isObject(report) ? report.updateTimestamp : undefined
  const created = isObject(metadata) ? metadata.creationTimestamp : undefined
  const at = [updated, created]
    .map((time) => (typeof time === 'string' ? parseTimestamp(time) : undefined))
    .find(Boolean)
  if (at === undefined || at > now - staleDays * 86_400) return
  ages.stale++
  ages.oldest = Math.min(at, ages.oldest ?? at)
}

/** Namespaces with workloads of which a report is missing. A kind without any report is a gap of its own. */
function withoutReports(kinds: ReportKind[], seen: Map<string, Set<string>>, namespaces: string[]): string[] {
  const perNamespace = kinds.filter(({ perNamespace }) => perNamespace).flatMap(({ kind }) => seen.get(kind) ?? [])
  const anywhere = new Set([...seen.values()].flatMap((places) => [...places]))
  const wanted = perNamespace.length > 0 ? perNamespace : [anywhere]
  return namespaces.filter((namespace) => wanted.some((places) => !places.has(namespace))).sort()
}

interface Gaps {
  source: ReportSource
  unread: Collection['unread_kinds']
  unreported: string[]
  namespaces: string[] | undefined
  ages: Ages
}

function warningsOf({ source, unread, unreported, namespaces, ages }: Gaps): string[] {
  const warnings = unread
    .filter(({ expected }) => expected)
    .map(({ kind, reason }) => `The run has no complete ${kind} data: ${reason}`)
  if (namespaces === undefined) {
    warnings.push('relt cannot check whether each namespace is reported, because the workloads could not be read.')
  }
  if (unreported.length > 0) {
    const shown = unreported.slice(0, 5).join(', ')
    const rest = unreported.length > 5 ? ` and ${unreported.length - 5} more` : ''
    warnings.push(
      `${source} has not reported these namespaces completely: ${shown}${rest}. Their findings are not compared.`,
    )
  }
  if (ages.stale > 0) {
    const day = formatTimestamp(ages.oldest!).slice(0, 10)
    warnings.push(`${ages.stale} reports are older than ${staleDays} days. The oldest is of ${day}.`)
  }
  return warnings
}

function noReports(source: ReportSource, unread: Collection['unread_kinds'], isInstalled: boolean): ReltError {
  const output = unread.map(({ kind, reason }) => `${kind}: ${reason}`)
  if (unread.some(({ reason }) => reason !== nothing && !isNotInstalled(reason))) {
    return new ReltError('scan_failed', `kubectl could not read the reports of ${source}.`, {
      hint: 'Check that kubectl reaches the cluster and that your user may list these resources.',
      output,
    })
  }
  return isInstalled
    ? new ReltError('scan_failed', `${source} has no reports yet.`, { hint: 'Wait for its first scan.', output })
    : new ReltError('scan_failed', `The cluster has no reports of ${source}.`, {
        hint: 'Install the operator, or choose another cluster with --context.',
        output,
      })
}

const tooLarge = (source: ReportSource): ReltError =>
  new ReltError('too_large', `The reports of ${source} are larger than ${maxBytes / 1024 / 1024} MB.`)
