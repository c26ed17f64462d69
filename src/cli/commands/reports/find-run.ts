import type { RouteCaller } from '../../../client/client.ts'
import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { formatTimestamp, parseTimestamp } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import { parseRunReference } from '../../input/run-reference.ts'
import type { Cli } from '../../program/command.ts'
import { type ClusterOptions, clusterQuery, unknownCluster } from './cluster.ts'
import { chooseOneCluster } from './one-cluster.ts'

/** A run found by its position among the runs of a cluster. */
export interface PlacedRun {
  run: ReceivedRun
  /** Other environments of the same cluster, if none was requested. */
  otherEnvironments: string[]
}

export interface FoundRun {
  run_id: string
  /** Absent if an id named the run. */
  placed?: PlacedRun
  /** The run is the latest of its cluster and environment. */
  isLatest: boolean
}

/** Help text of an argument or option that names a run. */
export const runForms = 'id, beginning of an id, latest, latest~2 or @2026-11-01'

/**
 * Resolves a reference to a run; by default the latest. Full ids need no request, others one on a server that filters runs.
 * Pages through the runs of other servers. Throws `usage`, or `not_found` with similar runs.
 */
export async function findRun(cli: Cli, reference: string | undefined, options: ClusterOptions): Promise<FoundRun> {
  const wanted = parseRunReference(reference ?? 'latest')
  if (!wanted) {
    throw new ReltError('usage', `"${reference}" is not a run.`, {
      hint: 'Use an id or its beginning, latest, latest~2, or @2026-11-01 for the last run of that day or before.',
    })
  }
  if (wanted.kind === 'id') return { run_id: wanted.id, isLatest: false }
  // An id belongs to one cluster, whatever the current cluster is.
  if (wanted.kind === 'prefix') return { run_id: await findByPrefix(cli, wanted.prefix, options), isLatest: false }
  const place = await chooseOneCluster(cli, options)
  const placed =
    wanted.kind === 'latest'
      ? await findByPosition(cli, place, wanted.back)
      : await findByTime(cli, place, wanted.until)
  return { run_id: placed.run.run_id, placed, isLatest: wanted.kind === 'latest' && wanted.back === 0 }
}

export async function findRunId(cli: Cli, reference: string | undefined, options: ClusterOptions): Promise<string> {
  return (await findRun(cli, reference, options)).run_id
}

/** The latest run of a cluster. Throws `not_found` if the cluster or the store has none. */
export function findLatestRun(client: RouteCaller, place: ClusterOptions): Promise<PlacedRun> {
  return findByPosition(client, place, 0)
}

async function findByPosition(client: RouteCaller, place: ClusterOptions, back: number) {
  const { run, total, ...settled } = await findInPlace(client, place, { page: back + 1 })
  if (run) return { run, otherEnvironments: settled.others }
  if (back === 0 || !settled.latest) throw await notFound(client, place)
  throw await withNewest(
    client,
    settled.place,
    `${toName(settled.latest)} has only ${total == null ? 'a few runs' : count(total, 'run')}, so there is no latest~${back}.`,
  )
}

async function findByTime(client: RouteCaller, place: ClusterOptions, until: number) {
  const { run, ...settled } = await findInPlace(client, place, { scanned_until: formatTimestamp(until) })
  const found = run && isUntil(run, until) ? run : run && (await pageBackTo(client, settled.place, until))
  if (found) return { run: found, otherEnvironments: settled.others }
  if (!settled.latest) throw await notFound(client, place)
  throw await withNewest(client, settled.place, `${toName(settled.latest)} has no run until ${formatTimestamp(until)}.`)
}

/** The first run that a query finds: without an environment, in that of the cluster's latest run. */
async function findInPlace(client: RouteCaller, place: ClusterOptions, query: object) {
  const first = await listFirst(client, place, query)
  const settled = await settleEnvironment(client, place, first)
  const isSettled = settled.place === place || (first.run && first.run.run_id === settled.latest?.run_id)
  const { run, total } = isSettled ? first : await listFirst(client, settled.place, query)
  return { ...settled, run, total }
}

async function listFirst(client: RouteCaller, place: ClusterOptions, query: object) {
  const found = await client.call('listReports', { query: { ...clusterQuery(place), per_page: 1, ...query } })
  return { run: found.items[0], environments: found.environments, total: found.total }
}

async function settleEnvironment(
  client: RouteCaller,
  place: ClusterOptions,
  { run, environments }: Awaited<ReturnType<typeof listFirst>>,
) {
  const isAlone = environments != null && environments.length < 2
  const isSettled = place.environment !== undefined || isAlone
  if (run && isSettled) return { place, latest: run, others: [] }
  const { run: latest } = await listFirst(client, place, {})
  const environment = latest?.environment
  if (isSettled || environment == null) return { place, latest, others: [] }
  const others = (environments ?? []).filter((each) => each !== environment)
  return { place: { cluster: latest!.cluster_name ?? place.cluster, environment }, latest, others }
}

const perPage = 100
/** Servers do not store runs beyond this page. */
const maxPages = 50

/** For servers that do not filter: the newest run before a time. */
async function pageBackTo(client: RouteCaller, place: ClusterOptions, until: number) {
  for await (const run of pagesOf(client, place)) if (isUntil(run, until)) return run
  return undefined
}

async function* pagesOf(client: RouteCaller, place: ClusterOptions) {
  for (let page = 1; page <= maxPages; page++) {
    const { items } = await client.call('listReports', { query: { ...clusterQuery(place), per_page: perPage, page } })
    yield* items
    if (items.length < perPage) return
  }
}

function isUntil(run: ReceivedRun, until: number) {
  const times = [scannedAt(run), run.ingested_at].flatMap((at) => (at === null ? [] : (parseTimestamp(at) ?? [])))
  return times.length > 0 && Math.min(...times) <= until
}

const maxCandidates = 8

async function findByPrefix(client: RouteCaller, prefix: string, options: ClusterOptions) {
  const { items, total, run_id_prefix } = await client.call('listReports', {
    query: { ...clusterQuery(options), run_id_prefix: prefix, per_page: maxCandidates },
  })
  // A server that does not support the parameter ignores it.
  const isFiltered = run_id_prefix === prefix
  const runs = isFiltered ? items : await findEverywhere(client, prefix, options)
  const exact = runs.find(({ run_id }) => run_id === prefix)
  const [first, ...others] = runs
  if (exact) return exact.run_id
  if (first && others.length === 0) return first.run_id
  if (!first && !isFiltered) return prefix
  if (!first) {
    const where = options.cluster ? ` of ${options.cluster}` : ''
    throw await withNewest(client, options, `No run${where} has an id that begins with ${prefix}.`)
  }
  const count = isFiltered && total !== null ? total : runs.length
  throw new ReltError('usage', `${count} runs have an id that begins with ${prefix}.`, {
    params: toCandidates(runs),
    hint: 'Write more of the id.',
  })
}

/** For servers that do not filter: runs of the chosen cluster, and those in trends of others. */
async function findEverywhere(client: RouteCaller, prefix: string, options: ClusterOptions) {
  const found = new Map<string, ReceivedRun>()
  for await (const run of pagesOf(client, options)) if (run.run_id.startsWith(prefix)) found.set(run.run_id, run)
  if (options.cluster) return [...found.values()]
  const trends = await client.call('reportTrends', { query: { group_by_cluster: true, window_days: 365 } })
  const clusters = 'clusters' in trends ? trends.clusters : [trends]
  for (const { cluster_name, environment, points } of clusters) {
    for (const { run_id, at } of points) {
      if (run_id?.startsWith(prefix) && !found.has(run_id)) {
        found.set(run_id, { run_id, cluster_name, environment, finished_at: at } as ReceivedRun)
      }
    }
  }
  return [...found.values()]
}

async function notFound(client: RouteCaller, place: ClusterOptions) {
  const unknown = await unknownCluster(client, place)
  return unknown ?? new ReltError('not_found', 'No reports yet.', { hint: 'Upload one: relt reports upload FILE' })
}

/** Adds the newest runs to the error as suggestions. */
async function withNewest(client: RouteCaller, place: ClusterOptions, message: string) {
  const { items } = await client.call('listReports', { query: { ...clusterQuery(place), per_page: maxCandidates } })
  return new ReltError('not_found', message, {
    ...(items.length > 0 && { params: toCandidates(items) }),
    hint: 'List the runs: relt reports list',
  })
}

const toName = ({ cluster_name, environment }: ReceivedRun) =>
  `${cluster_name ?? 'The cluster'} (${environment ?? '-'})`

function toCandidates(runs: ReceivedRun[]) {
  return Object.fromEntries(
    runs.slice(0, maxCandidates).map((run) => [run.run_id, `${toName(run)}, ${scannedAt(run) ?? 'time unknown'}`]),
  )
}
