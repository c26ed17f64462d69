import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client/client.ts'
import type { ReportEnvelope } from '../contract/cluster-report.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { type ErrorCode, insteadOf, ReltError } from '../errors.ts'
import { readScan } from '../reports/formats/index.ts'
import { scannedAt } from '../reports/run-subject.ts'
import { allPages } from '../util/all-pages.ts'
import { defined } from '../util/defined.ts'
import { trimJson } from '../util/json.ts'

interface Place {
  cluster?: string | undefined
  environment?: string | undefined
}

interface CopyOptions {
  from: Client
  to: Client
  /** URL of the source, or `local`: part of the idempotency keys. */
  source: string
  /** All clusters of the source if empty. */
  clusters: Place[]
  isDry: boolean
  signal: AbortSignal
  onProgress: (done: number, total: number, note: string) => void
}

export interface CopiedReport {
  /** At the source. */
  run: ReceivedRun
  state: 'copied' | 'to copy' | 'already there' | 'failed'
  /** Run id at the target, if this copy uploaded it. */
  new_run_id: string | null
  /** Why it failed. */
  reason: string | null
}

/**
 * Uploads each report that the target lacks, in the order in which the source received them. An upload's idempotency key
 * derives from its run, so that a repeated copy stores it once. A report that fails does not stop the others. Throws errors
 * that would stop them too.
 */
export async function* copyReports(options: CopyOptions): AsyncGenerator<CopiedReport> {
  const { from, to, isDry, signal, onProgress } = options
  const clusters = options.clusters.length > 0 ? options.clusters : await findClusters(from)
  const runs = await listRuns(from, clusters)
  const known = new Set((await listRuns(to, runs.map(toPlace))).map(contentKey))
  for (const [index, run] of runs.entries()) {
    if (signal.aborted) throw new ReltError('cancelled', 'Cancelled.')
    onProgress(index, runs.length, `${run.cluster_name ?? '-'}/${run.environment ?? '-'}`)
    const found = { run, new_run_id: null, reason: null }
    if (run.size_bytes !== null && known.has(contentKey(run))) yield { ...found, state: 'already there' }
    else if (isDry) yield { ...found, state: 'to copy' }
    else yield { ...found, ...(await tryToCopy(options, run)) }
  }
}

/** Errors about one report; others would fail the next one as well. */
const ofOneReport: ErrorCode[] = [
  'invalid_param',
  'invalid_json',
  'too_large',
  'too_costly',
  'conflict',
  'not_found',
  'bad_answer',
  'internal',
]

/** Recommended by the API if the server does not state it. */
const usualPauseSeconds = 60
const longestPauseSeconds = 300

async function tryToCopy(
  options: CopyOptions,
  run: ReceivedRun,
): Promise<Pick<CopiedReport, 'state'> & Partial<CopiedReport>> {
  for (;;) {
    try {
      const new_run_id = await copyReport(options, run)
      if (new_run_id === undefined) return { state: 'failed', reason: 'the source does not return its report' }
      return { state: 'copied', new_run_id }
    } catch (error) {
      if (!(error instanceof ReltError)) throw error
      if (ofOneReport.includes(error.code)) {
        const params = Object.entries(error.params ?? {}).map(([name, why]) => `${name} ${why}`)
        return { state: 'failed', reason: [error.message, ...params].join(' ') }
      }
      if (error.code !== 'rate_limited') throw error
      const seconds = Math.min(error.retryAfter ?? usualPauseSeconds, longestPauseSeconds)
      await sleep(seconds * 1000, undefined, { signal: options.signal }).catch(() => {
        throw new ReltError('cancelled', 'Cancelled.')
      })
    }
  }
}

/** The new run id; undefined if the source does not return the report. */
async function copyReport({ from, to, source }: CopyOptions, listed: ReceivedRun): Promise<string | undefined> {
  const { run_id } = listed
  const { answer, report } = await from.download('getReport', {
    params: { run_id },
    query: { include_report: true },
  })
  if (!report || answer.run_id !== run_id) return undefined
  const run = { ...listed, ...withoutNulls(answer) }
  const idempotencyKey = `relt-copy-${hash('sha256', JSON.stringify([source, run_id])).slice(0, 40)}`
  return (await to.call('uploadReport', { body: await toEnvelope(run, report), report, idempotencyKey })).run_id
}

/** The fields of an upload that recreates the run. */
async function toEnvelope(run: ReceivedRun, report: Uint8Array): Promise<ReportEnvelope> {
  const { environment, source, source_version, provider, region, started_at, duration_seconds, ci, inventory } = run
  // Servers with only the published API support no other format. An empty report is stored as it is.
  const format = run.format === 'kubebuddy' || run.format === 'unknown' || run.is_empty ? null : run.format
  // Without a scan time, the copy would be the newest run of its cluster.
  const isTimeless = !started_at && !run.finished_at && !(await hasTime(report, format))
  return withoutNulls({
    environment,
    source,
    source_version,
    cluster: withoutNulls({ name: run.cluster_name, provider, region }),
    run: withoutNulls({ started_at, finished_at: isTimeless ? run.ingested_at : run.finished_at, duration_seconds }),
    ci: ci && withoutNulls(ci),
    format,
    artifacts: Object.values(inventory ?? {}).some((list) => list && list.length > 0) ? inventory : null,
  })
}

async function hasTime(report: Uint8Array, format: ReceivedRun['format']): Promise<boolean> {
  const scan = await readScan(trimJson(report), format).catch(() => undefined)
  return scan?.generatedAt !== undefined
}

/** A server with only the published API has no list of clusters, but these answers name them. */
async function findClusters(client: Client): Promise<Place[]> {
  const { candidates } = await client.call('listBootstrapCandidates', {})
  const trends = await client.call('reportTrends', { query: { group_by_cluster: true, window_days: 365 } })
  const named = [...candidates, ...('clusters' in trends ? trends.clusters : [])].filter((each) => each.cluster_name)
  // Without a cluster, the API lists that of the latest upload.
  return [...named.map(toPlace), {}]
}

/** Oldest upload first. */
async function listRuns(client: Client, clusters: Place[]): Promise<ReceivedRun[]> {
  const found = new Map<string, ReceivedRun>()
  const places = new Map(clusters.map((place) => [JSON.stringify(place), place]))
  for (const { cluster, environment } of places.values()) {
    const query = defined({ cluster_name: cluster, environment, per_page: 100 })
    // The source may list a cluster whose name the target does not accept.
    const listed = await allPages((page) => client.call('listReports', { query: { ...query, page } }), {
      toId: ({ run_id }) => run_id,
    }).catch(insteadOf('invalid_param', []))
    for (const run of listed) {
      const place = defined({ cluster_name: cluster, environment })
      if (!found.has(run.run_id)) found.set(run.run_id, { ...run, ...place, ...withoutNulls(run) })
    }
  }
  const arrival = (run: ReceivedRun) => run.ingested_at ?? scannedAt(run) ?? ''
  return [...found.values()].reverse().sort((a, b) => Number(arrival(a) > arrival(b)) - Number(arrival(a) < arrival(b)))
}

const toPlace = ({ cluster_name, environment }: Pick<ReceivedRun, 'cluster_name' | 'environment'>): Place => ({
  cluster: cluster_name ?? undefined,
  environment: environment ?? undefined,
})

/** Equal at both ends if the reports are. A server that omits one of these gets the report again, and stores it once. */
function contentKey(run: ReceivedRun): string {
  const { cluster_name, environment, format, size_bytes, score } = run
  return JSON.stringify([cluster_name, environment, format, scannedAt(run), size_bytes, score])
}

function withoutNulls<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as never
}
