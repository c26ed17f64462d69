import type { Attention, ClusterOrder, FleetCluster, FleetSummary } from '../../contract/cluster.ts'
import type { Db } from '../../db/open.ts'
import type { PromisedReports } from '../../store/fleet/silence.ts'
import { type ClusterFigures, type ClusterSummary, listLastScores, type ScorePoint } from '../../store/fleet/summary.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { attentionOf, type ExpectedReports, expectedReports, isOverdue, urgencyOf } from './attention.ts'
import { findFactDays } from './fact-days.ts'

interface RatedCluster {
  figures: ClusterFigures
  expected: ExpectedReports | null
  attention: Attention[]
}

const maxNeverReported = 100
/** How many runs a cluster's line of scores has. */
const scoresEach = 12

/** What the answers about an owner's clusters rest on. */
interface Asking {
  ownerId: number
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
}

interface Fleet {
  figures: ClusterFigures[]
  promised: PromisedReports[]
  /** Whether a cluster that never reported is among those that were asked for. */
  isWanted: (promise: PromisedReports) => boolean
}

/** A page of the clusters in the order that was asked for, and a summary of all. */
export async function pageOfClusters(
  db: Db,
  { figures: all, promised, isWanted }: Fleet,
  { sort, page, perPage }: PageChoice & { sort: ClusterOrder },
  asking: Asking,
): Promise<Page<FleetCluster> & { summary: FleetSummary }> {
  const { now } = asking
  const promises = new Map(promised.map((each) => [keyOf(each), each]))
  const rated = all.map((figures) => {
    const promise = promises.get(keyOf(figures))
    promises.delete(keyOf(figures))
    return rate(figures, promise, now)
  })
  const ordered = orders[sort](rated)
  const shown = ordered.slice((page - 1) * perPage, page * perPage)
  return {
    page,
    per_page: perPage,
    total: all.length,
    total_pages: Math.ceil(all.length / perPage),
    items: await toClusters(db, shown, asking),
    summary: summarize(rated, [...promises.values()].filter(isWanted), now),
  }
}

export async function toCluster(
  db: Db,
  { figures, promised }: { figures: ClusterFigures; promised: PromisedReports[] },
  asking: Asking,
): Promise<FleetCluster> {
  const promise = promised.find((each) => keyOf(each) === keyOf(figures))
  const [cluster] = await toClusters(db, [rate(figures, promise, asking.now)], asking)
  return cluster!
}

const keyOf = ({ name, environment }: Pick<ClusterFigures, 'name' | 'environment'>): string =>
  JSON.stringify([name, environment])

function rate(figures: ClusterFigures, promise: PromisedReports | undefined, now: number): RatedCluster {
  const expected = expectedReports(figures, promise)
  return { figures, expected, attention: attentionOf({ ...figures, expected }, now) }
}

async function toClusters(db: Db, rated: RatedCluster[], asking: Asking): Promise<FleetCluster[]> {
  const scanned = rated.flatMap(({ figures: { id, latest } }) => (latest ? { id, format: latest.format } : []))
  const scores = await listLastScores(db, scanned, scoresEach)
  const days = await findFactDays(db, { ...asking, clusterIds: rated.map(({ figures }) => figures.id) })
  return rated.map((one) => {
    const { id } = one.figures
    return describe(one, { scores: scores.get(id) ?? [], day: days.get(id) }, asking.now)
  })
}

interface Found {
  scores: ScorePoint[]
  /** Of the oldest facts about what runs. */
  day: string | undefined
}

function describe({ figures, expected, attention }: RatedCluster, { scores, day }: Found, now: number): FleetCluster {
  const { publicId, name, environment, labels, expectedEvery, latest, summary } = figures
  return {
    cluster_id: publicId,
    cluster_name: name,
    environment,
    labels,
    provider: latest?.provider ?? null,
    region: latest?.region ?? null,
    kubernetes_version: latest?.kubernetesVersion ?? null,
    expected_every: expectedEvery,
    last_scan: latest ? formatTimestamp(latest.at) : null,
    expected_reports: expected && { every: expected.every, set_by: expected.setBy },
    overdue: isOverdue({ expected, latest }, now),
    latest_run: latest
      ? {
          run_id: latest.runId,
          format: latest.format,
          score: latest.score,
          score_delta: summary?.score_delta ?? null,
          findings: latest.findings,
          total_checks: latest.totalChecks,
          failed_checks: latest.failedChecks,
          not_run_checks: latest.notRunChecks,
          is_empty: latest.isEmpty,
        }
      : null,
    scores: scores.map(({ score }) => score),
    changes: summary ? changesOf(summary) : null,
    freshness: summary
      ? { ...freshnessOf(summary), is_current: figures.isCurrent, ...(day && { catalog_date: day }) }
      : null,
    has_figures: summary !== undefined,
    gate: latest?.gateVerdict ? { verdict: latest.gateVerdict, at: formatTimestamp(latest.gateAt!) } : null,
    attention,
  }
}

function changesOf(summary: ClusterSummary): FleetCluster['changes'] {
  if (summary.from_run_id === null) return null
  return {
    new_findings: summary.new_findings!,
    new_critical: summary.new_critical!,
    new_high: summary.new_high!,
    regressed_findings: summary.regressed_findings!,
    regressed_critical: summary.regressed_critical!,
    regressed_high: summary.regressed_high!,
    resolved_findings: summary.resolved_findings!,
  }
}

function freshnessOf(summary: ClusterSummary) {
  const { artifacts, known, minor_behind, major_behind, affected, affected_critical, affected_high } = summary
  const { ended, ending } = summary
  return { artifacts, known, minor_behind, major_behind, affected, affected_critical, affected_high, ended, ending }
}

/** `others` are promises of clusters that have no run. */
function summarize(rated: RatedCluster[], others: PromisedReports[], now: number): FleetSummary {
  const attention: Record<string, number> = {}
  for (const one of rated) for (const reason of one.attention) attention[reason] = (attention[reason] ?? 0) + 1
  return {
    clusters: rated.length,
    attention,
    needs_attention: rated.filter((one) => one.attention.length > 0).length,
    pending: rated.filter(({ figures }) => !figures.isCurrent).length,
    never_reported: others
      .filter(({ every, since }) => isOverdue({ expected: { every, since, setBy: 'agent' }, latest: undefined }, now))
      .slice(0, maxNeverReported)
      .map(({ name, environment, every, since }) => ({
        cluster_name: name,
        environment,
        expected_every: every,
        expected_since: formatTimestamp(since),
      })),
  }
}

/** They come by name and environment, which decides among equals. */
const orders: Record<ClusterOrder, (clusters: RatedCluster[]) => RatedCluster[]> = {
  name: (clusters) => clusters,
  urgency: (clusters) =>
    sortBy(clusters, ({ attention, figures }) => -urgencyOf(attention) * 1000 + (figures.latest?.score ?? 100)),
  // Unknown scores come last: they are no good ones.
  score: (clusters) => sortBy(clusters, ({ figures }) => figures.latest?.score ?? Number.POSITIVE_INFINITY),
  last_scan: (clusters) => sortBy(clusters, ({ figures }) => figures.latest?.at ?? 0),
}

function sortBy<T>(items: T[], keyOf: (item: T) => number): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item)
}
