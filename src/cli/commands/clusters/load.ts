import { setTimeout as sleep } from 'node:timers/promises'
import { parseClusterName } from '../../../config/cluster-name.ts'
import type { ClusterPage, ReceivedCluster } from '../../../contract/received/cluster.ts'
import type { RouteInput } from '../../../contract/routes.ts'
import { insteadOf, ReltError } from '../../../errors.ts'
import { nearest } from '../../../util/nearest-word.ts'
import { slicePage } from '../../../util/page.ts'
import { parseTimestamp } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import { neverReportedSaid } from '../../../views/fleet-gaps.ts'
import { plainText } from '../../../views/said.ts'
import { withProgress } from '../../output/progress.ts'
import { type Remark, type Remarks, warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { sketchClusters, sketchRemarks } from './other-server.ts'

type ClusterQuery = NonNullable<RouteInput<'listClusters'>['query']>

/** `is_sketch`: the server has no list of clusters, so most data is unknown, and `summary` is undefined. */
export type LoadedClusters =
  | (ClusterPage & { is_sketch?: undefined })
  | (Omit<ClusterPage, 'summary'> & { summary?: undefined; is_sketch: true })

/** How long a command waits for figures. The answer lists clusters that still lack them. */
const patienceMs = 10_000

/** Pauses before further requests if one had no effect: servers compute figures in the background. */
const pausesMs = [250, 500, 1000]

/**
 * Loads a page of clusters. Requests it repeatedly until all have figures: each request computes some, or the server does in
 * the background.
 */
export async function loadClusters(cli: Cli, query: ClusterQuery): Promise<LoadedClusters> {
  const load = () => cli.call('listClusters', { query })
  const first = await load().catch(insteadOf('not_found', undefined))
  if (!first) return sketch(cli, query)
  if (first.summary.pending === 0) return first
  const started = performance.now()
  return withProgress(cli.io, 'Updating figures', async () => {
    for (let found = first, pauses = 0; ; ) {
      const next = await load()
      const { pending } = next.summary
      const isLate = performance.now() - started > patienceMs
      if (pending === 0 || isLate) return next
      if (pending < found.summary.pending) pauses = 0
      else if (pauses < pausesMs.length) await sleep(pausesMs[pauses++])
      else return next
      found = next
    }
  })
}

/** Loads all pages; the first has the summary. */
export async function loadAllClusters(cli: Cli, query: ClusterQuery) {
  const first = await loadClusters(cli, { ...query, per_page: 100 })
  const items = [...first.items]
  for (let page = 2; page <= first.total_pages; page++)
    items.push(...(await loadClusters(cli, { ...query, per_page: 100, page })).items)
  return { items, first }
}

async function sketch(cli: Cli, query: ClusterQuery): Promise<LoadedClusters> {
  const { cluster_name, environment, label, sort = 'name', page = 1, per_page = 20 } = query
  if (label !== undefined) {
    throw new ReltError('bad_answer', 'The server does not list the labels of clusters.', { hint: 'Remove --label.' })
  }
  const place = { cluster: cluster_name, environment }
  const all = (await sketchClusters(cli, place, cli.context.now())).filter(
    (cluster) =>
      (cluster_name === undefined || cluster.cluster_name === cluster_name) &&
      (environment === undefined || cluster.environment === environment),
  )
  const toKey = {
    name: () => 0,
    urgency: ({ attention, latest_run }: ReceivedCluster) =>
      (latest_run?.score ?? 100) - (attention ?? []).length * 1000,
    score: ({ latest_run }: ReceivedCluster) => latest_run?.score ?? Number.POSITIVE_INFINITY,
    last_scan: ({ last_scan }: ReceivedCluster) => parseTimestamp(last_scan ?? '') ?? 0,
  }[sort]
  const sorted = all.toSorted((a, b) => toKey(a) - toKey(b))
  return { ...slicePage(sorted, { page: Number(page), perPage: Number(per_page) }), is_sketch: true }
}

/** Remarks on clusters and artifacts that the figures exclude. */
export function summaryRemarks({ summary }: LoadedClusters): Remarks {
  if (!summary) return sketchRemarks
  const { never_reported: never = [], pending } = summary
  return [
    never.length > 0 && warning(`${plainText(neverReportedSaid(never))}. See \`relt agent list\`.`),
    ...pendingRemarks(pending),
  ]
}

/** Figures that were not computed in time, or could not be, for example without the store's key. */
export function pendingRemarks(pending: number): Remark[] {
  return pending === 0
    ? []
    : [
        warning(
          `The figures of ${count(pending, 'cluster')} are missing or outdated. Run it again, or choose fewer clusters.`,
        ),
      ]
}

/** Like `findAnyCluster`, but with an id, which only a server with a list of clusters has. Throws `not_found` otherwise. */
export async function findCluster(cli: Cli, typed: string) {
  const cluster = await findAnyCluster(cli, typed)
  if (cluster.cluster_id) return cluster
  throw new ReltError('not_found', 'The server has no routes for clusters.', {
    hint: 'It knows runs only: relt status, relt reports list',
  })
}

/** Finds `prod-eu`, `prod-eu/prod` or an id. Throws `not_found` with similar names, and `usage` for several environments. */
export async function findAnyCluster(cli: Cli, typed: string): Promise<ReceivedCluster> {
  if (/^clus_[A-Za-z0-9-]+$/.test(typed)) return cli.call('getCluster', { params: { cluster_id: typed } })
  const found = await findNamed(cli, typed)
  const [only, ...others] = found
  if (only && others.length === 0) return only
  if (!only) throw await notFound(cli, typed)
  throw new ReltError('usage', `${typed} has several environments.`, {
    hint: `Choose one: ${found.map(toName).join(', ')}.`,
  })
}

/** A name may contain a slash: the full text is tried before name and environment. */
async function findNamed(cli: Cli, typed: string) {
  const ask = async (query: ClusterQuery) => (await loadClusters(cli, { ...query, per_page: 100 })).items
  const whole = await ask({ cluster_name: typed })
  if (whole.length > 0 || !typed.includes('/')) return whole
  const { cluster, environment } = parseClusterName(typed)
  return ask({ cluster_name: cluster, ...(environment !== undefined && { environment }) })
}

async function notFound(cli: Cli, typed: string) {
  const { items } = await loadClusters(cli, { per_page: 100 })
  const names = items.map(toName)
  const meant = nearest(typed, [...names, ...items.map(({ cluster_name }) => cluster_name)])
  const shown = `${names.slice(0, 8).join(', ')}${names.length > 8 ? ' and more' : ''}`
  const hint = meant ? `Did you mean ${meant}?` : names.length > 0 ? `Clusters: ${shown}.` : 'relt reports upload FILE'
  return new ReltError('not_found', `No cluster named "${typed}".`, { hint })
}

export const toName = ({ cluster_name, environment }: Pick<ReceivedCluster, 'cluster_name' | 'environment'>) =>
  `${cluster_name}/${environment}`
