import { ReltError } from '../errors.ts'
import type { KubeCluster } from '../kube/cluster.ts'
import { listKind } from '../kube/list-kind.ts'
import { discover } from '../kube/resources.ts'
import type { Collection } from '../reports/formats/collection.ts'
import { formatTimestamp, type UnixSeconds } from '../util/time.ts'
import { CollectedKind, type KindContext, type ReadKind } from './collected-kind.ts'
import { coverageWarnings, toCoverage } from './collection-coverage.ts'
import { equalReasons } from './equal-reasons.ts'
import { Owners } from './owners.ts'
import { type ReportKind, reportKinds } from './report-kinds.ts'
import type { ReportSource } from './report-source.ts'
import { Running } from './running.ts'

export interface CollectOptions {
  source: ReportSource
  /** Running workloads; undefined if unknown. */
  running: Running | undefined
  /** Why the running workloads are incomplete. */
  gap?: string | undefined
  kubernetesVersion?: string | undefined
  now: () => UnixSeconds
}

export interface CollectedReports {
  /** JSON text: a list of the operator's reports. */
  report: Buffer
  /** Number of operator reports, before those of one image are merged. */
  count: number
  /** Gaps of the list and outdated reports, one sentence each. */
  warnings: string[]
}

/** The service accepts uploads of 100 MB, including the inventory. */
const maxBytes = 90 * 1024 * 1024

/**
 * Reads the reports of an operator. The list names kinds and workloads without a report, so that earlier findings about them
 * do not count as resolved. Throws `scan_failed` if there is no report, `too_large` and `cancelled`.
 */
export async function collectReports(cluster: KubeCluster, options: CollectOptions): Promise<CollectedReports> {
  const { source, gap, kubernetesVersion, now } = options
  const at = now()
  const running = options.running ?? new Running(new Owners())
  const isComplete = options.running !== undefined && gap === undefined
  const read = await readKinds(cluster, { source, running, isComplete, now: at })
  const unread = read.flatMap(gapFor)
  const count = read.reduce((sum, { reports }) => sum + (reports?.count ?? 0), 0)
  if (count === 0) throw noReports(source, read)
  const coverage = toCoverage(read, running, isComplete ? undefined : (gap ?? 'they could not be read.'))
  const collection: Collection = {
    source,
    collected_at: formatTimestamp(at),
    ...(kubernetesVersion !== undefined && { kubernetes_version: kubernetesVersion }),
    unread_kinds: unread,
    ...coverage,
  }
  const report = join(JSON.stringify({ apiVersion: 'v1', kind: 'List', collection }), read, source)
  return { report, count, warnings: [...gapWarnings(read), ...coverageWarnings(source, coverage), ...ageWarning(read)] }
}

async function readKinds(cluster: KubeCluster, context: KindContext) {
  const kinds = reportKinds[context.source]
  const served = await discover(
    cluster,
    kinds.map(({ group }) => group),
  )
  const read: ReadKind[] = []
  for (const kind of kinds) {
    const version = served.versionOf(kind)
    if (version === undefined) read.push({ kind, why: served.failure?.why ?? notInstalled })
    else {
      const summaries = read.find((each) => each.kind.kind === 'VulnerabilityManifestSummary')?.reports
      const of = kind.kind === 'VulnerabilityManifest' ? { ...context, summaries } : context
      const one = await readKind(cluster, { kind, version }, of)
      if (of.summaries && one.reports) of.summaries.nameBy(one.reports)
      read.push(one)
    }
  }
  return read
}

async function readKind(
  cluster: KubeCluster,
  { kind, version }: { kind: ReportKind; version: string },
  context: KindContext,
): Promise<ReadKind> {
  const apiVersion = `${kind.group}/${version}`
  let reports = new CollectedKind({ ...kind, apiVersion }, context)
  const failure = await listKind(cluster, { ...kind, version }, () => {
    reports = new CollectedKind({ ...kind, apiVersion }, context)
    return (item) => reports.take(item)
  })
  if (!failure) return { kind, reports }
  return { kind, why: failure.state === 'missing' ? notInstalled : failure.why }
}

const notInstalled = 'The cluster does not have this kind of report.'
const nothing = 'The operator has no report of this kind yet.'

/** A kind that older versions of the operator lack is no gap. One without read permission is. */
function gapFor({ kind: { kind, category, expected = false }, reports, why }: ReadKind): Collection['unread_kinds'] {
  if (why !== undefined) return [{ kind, category, reason: why, expected: expected || why !== notInstalled }]
  return reports?.count === 0 && expected ? [{ kind, category, reason: nothing, expected }] : []
}

/** Joins the texts only once, because together they may take most of the memory. */
function join(head: string, read: ReadKind[], source: ReportSource): Buffer {
  const parts: Buffer[] = [Buffer.from(`${head.slice(0, -1)},"items":[`)]
  let length = parts[0]!.length + 2
  for (const { reports } of read) {
    for (const text of reports?.texts() ?? []) {
      if (parts.length > 1) parts.push(comma)
      parts.push(text)
      length += text.length + 1
      if (length > maxBytes)
        throw new ReltError(
          'too_large',
          `The reports of ${source} are larger than ${maxBytes / 1024 / 1024} MB, also without what relt does not read.`,
          {
            hint: 'A server stores no larger report. Let the operator scan fewer namespaces.',
          },
        )
    }
  }
  return Buffer.concat([...parts, Buffer.from(']}')])
}

const comma = Buffer.from(',')

function gapWarnings(read: ReadKind[]) {
  const gaps = read.flatMap((each) => gapFor(each).filter(({ expected }) => expected))
  return equalReasons(gaps.map(({ kind: name, reason }) => ({ name, reason }))).map(
    ({ names, reason }) => `The run has no complete ${names.join(', ')} data: ${reason}`,
  )
}

function ageWarning(read: ReadKind[]) {
  const stale = read.reduce((sum, { reports }) => sum + (reports?.stale ?? 0), 0)
  const oldest = Math.min(...read.flatMap(({ reports }) => reports?.oldest ?? []))
  if (stale === 0) return []
  return [`${stale} reports are older than 7 days. The oldest is of ${formatTimestamp(oldest).slice(0, 10)}.`]
}

function noReports(source: ReportSource, read: ReadKind[]) {
  const failures = read.map(({ kind, why }) => ({ name: kind.plural, kind: kind.kind, reason: why ?? nothing }))
  const output = equalReasons(failures).map(({ names, reason }) => {
    return `${failures
      .filter(({ name }) => names.includes(name))
      .map(({ kind }) => kind)
      .join(', ')}: ${reason}`
  })
  if (failures.some(({ reason }) => reason !== nothing && reason !== notInstalled)) {
    return new ReltError('scan_failed', `The reports of ${source} could not be read.`, {
      hint: 'Check that your account may list these resources.',
      output,
    })
  }
  return failures.some(({ reason }) => reason === nothing)
    ? new ReltError('scan_failed', `${source} has no reports yet.`, { hint: 'Wait for its first scan.', output })
    : new ReltError('scan_failed', `The cluster has no reports of ${source}.`, {
        hint: 'Install the operator, or choose another cluster with --context.',
        output,
      })
}
