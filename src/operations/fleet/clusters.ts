import type {
  Attention,
  ClusterOrder,
  ClusterScanner,
  FleetCluster,
  FleetSummary,
  News,
  Standing,
} from '../../contract/cluster.ts'
import type { Db } from '../../db/open.ts'
import { reasonsOfNow } from '../../reports/attention-now.ts'
import { newsSince, zoneOr } from '../../reports/news-since.ts'
import { usualInterval } from '../../reports/rhythm.ts'
import {
  type ClusterFigures,
  type FigureFilter,
  type LatestRunFigures,
  newestOf,
  providerOf,
  type ScannerFigures,
} from '../../store/fleet/figures.ts'
import { placeKey } from '../../store/fleet/place.ts'
import { findPromisedReports, type PromisedReports } from '../../store/fleet/silence.ts'
import { type ClusterSummary, listLastScores, type ScannerSummary, type ScorePoint } from '../../store/fleet/summary.ts'
import { type Page, type PageChoice, slicePage } from '../../util/page.ts'
import { formatTimestamp } from '../../util/time.ts'
import { comparablePoints } from '../../views/trend-points.ts'
import type { Asking } from '../findings/accepting.ts'
import { compare } from '../findings/candidates.ts'
import { findSubjectNames } from '../runs/subjects.ts'
import { withoutAccepted } from './accepted-changes.ts'
import {
  type ExpectedReports,
  expectedReports,
  isOverdue,
  scannerAttention,
  toClusterAttention,
  urgencyFor,
} from './attention.ts'
import { findFactDays } from './fact-days.ts'
import { withNewsSince } from './news-since.ts'

interface RatedScanner {
  figures: ScannerFigures
  isLate: boolean | null
  attention: Attention[]
}

interface RatedCluster {
  figures: ClusterFigures
  /** Most urgent first. */
  scanners: RatedScanner[]
  expected: ExpectedReports | null
  /** Whether a cluster without runs is overdue. */
  isLate: boolean | null
  attention: Attention[]
  /** Reasons that need attention now. */
  ofNow: Attention[]
}

const maxNeverReported = 100
/** Runs in a cluster's sparkline of scores. */
const scoresEach = 12

interface ListChoice extends PageChoice, Omit<FigureFilter, 'ownerId' | 'publicId'> {
  sort: ClusterOrder
  /** Changes after this time are new; unix seconds. */
  since?: number | undefined
  /** Whether to derive expected intervals from past scans, if nothing else states them. */
  learn?: boolean
}

/** A page of the chosen clusters in the requested order, and a summary of all of these. */
export async function pageOfClusters(
  db: Db,
  all: ClusterFigures[],
  { sort, since, learn, page, perPage, name, environment, label }: ListChoice,
  asking: Asking,
): Promise<Page<FleetCluster> & { summary: FleetSummary }> {
  const { now } = asking
  const asked = since ?? newsSince(asking.now, asking.timeZone)
  const compared = since === undefined ? all : await withNewsSince(db, await asking.vault(), { clusters: all, since })
  const figures = await withoutAccepted(db, compared, asking)
  const promises = await findPromisedReports(db, asking.ownerId)
  const usual = learn ? await findRhythms(db, all, promises) : undefined
  const rated = figures.map((each) => {
    const promise = promises.get(placeKey(each))
    promises.delete(placeKey(each))
    return rate(each, { promise, usual: usual?.get(each.id), since: asked }, now)
  })
  // A cluster without runs has no labels.
  const isChosen = (promise: PromisedReports) =>
    label === undefined &&
    (name === undefined || promise.name === name) &&
    (environment === undefined || promise.environment === environment)
  const shown = slicePage(orders[sort](rated), { page, perPage })
  return {
    ...shown,
    items: await toClusters(db, shown.items, { ...asking, since: asked }),
    summary: summarize(rated, [...promises.values()].filter(isChosen), { ...asking, since: asked }),
  }
}

export async function toCluster(db: Db, figures: ClusterFigures, asking: Asking): Promise<FleetCluster> {
  const promise = (await findPromisedReports(db, asking.ownerId)).get(placeKey(figures))
  const [own] = await withoutAccepted(db, [figures], asking)
  const since = newsSince(asking.now, asking.timeZone)
  const [cluster] = await toClusters(db, [rate(own!, { promise, since }, asking.now)], { ...asking, since })
  return cluster!
}

interface Expected {
  promise: PromisedReports | undefined
  /** Usual seconds between scans. */
  usual?: number | undefined
  since: number
}

function rate(figures: ClusterFigures, { promise, usual, since }: Expected, now: number): RatedCluster {
  const expected = expectedReports(figures, promise, usual)
  const newest = Math.max(...figures.scanners.map(({ latest }) => latest.at))
  const scanners = figures.scanners.map((scanner) => {
    // A scanner that reported only once is not expected to report again.
    const isExpected = scanner.latest.at === newest || scanner.latest.hasOtherRuns === 1
    const isLate = isExpected ? isOverdue(expected, scanner.latest.at, now) : null
    return { figures: scanner, isLate, attention: scannerAttention(scanner, isLate, now) }
  })
  const ofScanners = scanners.flatMap(({ attention }) => attention)
  const isLate = scanners.length === 0 ? isOverdue(expected, 0, now) : null
  const attention = toClusterAttention(figures, ofScanners, isLate)
  return {
    figures,
    scanners: sortBy(scanners, (one) => -urgencyFor(one.attention) * 1000 + (one.figures.latest.score ?? 100)),
    expected,
    isLate,
    attention,
    ofNow: reasonsOfNow(attention, newest > since),
  }
}

/** Cluster row id → usual interval between scans, for clusters without another expectation. */
async function findRhythms(db: Db, all: ClusterFigures[], promises: Map<string, PromisedReports>) {
  const asked = all.filter((each) => each.expectedEvery === null && !promises.has(placeKey(each)))
  const series = asked.flatMap(({ scanners }) => scanners.map(({ latest }) => latest.seriesId))
  const scoresFor = await listLastScores(db, series, scoresEach)
  return new Map(
    asked.flatMap(({ id, scanners }) => {
      const times = scanners.flatMap(({ latest }) => scoresFor(latest.seriesId).map(({ at }) => at))
      const usual = usualInterval(times.sort((a, b) => a - b))
      return usual === undefined ? [] : [[id, usual]]
    }),
  )
}

async function toClusters(db: Db, rated: RatedCluster[], asking: AskedNews): Promise<FleetCluster[]> {
  const latest = rated.flatMap(({ scanners }) => scanners.map(({ figures }) => figures.latest))
  const scoresFor = await listLastScores(
    db,
    latest.map(({ seriesId }) => seriesId),
    scoresEach,
  )
  const subjects = await findSubjectNames(db, asking.vault, latest)
  const days = await findFactDays(db, { ...asking, clusterIds: rated.map(({ figures }) => figures.id) })
  return rated.map((one) => describe(one, { scoresFor, subjects, day: days.get(one.figures.id), asking }))
}

interface Found {
  scoresFor: Awaited<ReturnType<typeof listLastScores>>
  subjects: Awaited<ReturnType<typeof findSubjectNames>>
  /** Day of the oldest facts about running artifacts. */
  day: string | undefined
  asking: AskedNews
}

function describe(
  { figures, scanners, expected, isLate, attention, ofNow }: RatedCluster,
  { scoresFor, subjects, day, asking }: Found,
): FleetCluster {
  const { publicId, name, environment, labels, expectedEvery, summary } = figures
  const described = scanners.map((one) => {
    const { rowId, seriesId } = one.figures.latest
    const subject = subjects.get(rowId)
    return { ...toScanner(one, scoresFor(seriesId)), ...(subject !== undefined && { subject }) }
  })
  const {
    format: _,
    subject: __,
    ...worst
  } = described[0] ?? { ...neverScanned(isLate), format: undefined, subject: undefined }
  return {
    cluster_id: publicId,
    cluster_name: name,
    environment,
    labels,
    provider: providerOf(figures.scanners),
    region: newestOf(figures.scanners, ({ region }) => region),
    kubernetes_version: newestOf(figures.scanners, ({ kubernetesVersion }) => kubernetesVersion),
    expected_every: expectedEvery,
    expected_reports: expected && { every: expected.every, set_by: expected.setBy },
    ...worst,
    scanners: described,
    freshness: summary
      ? {
          ...(figures.inventoryRunId !== undefined && { run_id: figures.inventoryRunId }),
          ...freshnessFor(summary),
          is_current: figures.isCurrent,
          ...(day && { catalog_date: day }),
        }
      : null,
    has_figures: summary !== undefined && figures.since !== null,
    attention,
    attention_now: ofNow,
    news: newsIn([figures], { ...asking, since: figures.since ?? asking.since }),
    ...standingIn([figures]),
  }
}

/** `since`: since when findings are new, in unix seconds. */
type AskedNews = Asking & { since: number }

function newsIn(all: ClusterFigures[], { since, timeZone }: AskedNews): News {
  const changes = all.flatMap(({ scanners }) => scanners.flatMap((scanner) => scanner.changes ?? []))
  const sumOf = (count: (each: ScannerSummary) => number) => changes.reduce((sum, each) => sum + count(each), 0)
  return {
    since: formatTimestamp(since),
    time_zone: zoneOr(timeZone),
    findings: sumOf((each) => each.new_findings + each.regressed_findings),
    critical: sumOf((each) => each.new_critical + each.regressed_critical),
    ...growthOf(changes),
  }
}

function growthOf(changes: ScannerSummary[]): Pick<News, 'grown'> {
  const all = changes.flatMap((each): NonNullable<News['grown']>[] => JSON.parse(each.changes).grown ?? [])
  const [widest] = all.sort((a, b) => b.to - a.to)
  return widest ? { grown: { ...widest, findings: all.reduce((sum, { findings }) => sum + findings, 0) } } : {}
}

/** What stands in these clusters; empty if nothing does. */
function standingIn(all: ClusterFigures[]): { standing?: Standing } {
  const sumOf = (count: (figures: ClusterFigures) => number) => all.reduce((sum, each) => sum + count(each), 0)
  const criticalIn = ({ scanners, summary }: ClusterFigures) => {
    const open = scanners.reduce((sum, { latest }) => sum + latest.findings.critical, 0)
    const accepted = scanners.reduce((sum, { acceptedCritical = 0 }) => sum + acceptedCritical, 0)
    // An exception covers the finding of each scan.
    return open - (accepted || (summary?.repeated_critical ?? 0))
  }
  const oldest = Math.min(
    ...all.flatMap(({ scanners }) => scanners.flatMap(({ changes }) => changes?.oldest_critical ?? [])),
  )
  const standing = {
    critical: sumOf(criticalIn),
    affected_critical: sumOf(({ summary }) => summary?.affected_critical ?? 0),
    ended: sumOf(({ summary }) => summary?.ended ?? 0),
  }
  if (Object.values(standing).every((count) => count <= 0)) return {}
  return {
    standing: {
      clusters: all.filter((each) => criticalIn(each) > 0).length,
      ...(Number.isFinite(oldest) && { oldest_critical: formatTimestamp(oldest) }),
      ...standing,
    },
  }
}

const neverScanned = (isLate: boolean | null): Omit<ClusterScanner, 'format'> => ({
  last_scan: null,
  overdue: isLate,
  latest_run: null,
  scores: [],
  changes: null,
  gate: null,
  attention: [],
})

function toScanner({ figures, isLate, attention }: RatedScanner, points: ScorePoint[]): ClusterScanner {
  const { latest, changes } = figures
  const comparable = comparablePoints(points)
  return {
    format: latest.format,
    last_scan: formatTimestamp(latest.at),
    overdue: isLate,
    latest_run: {
      run_id: latest.runId,
      format: latest.format,
      score: latest.score,
      score_delta: changes?.score_delta ?? null,
      findings: latest.findings,
      total_checks: latest.totalChecks,
      failed_checks: latest.failedChecks,
      not_run_checks: latest.notRunChecks,
      ...(latest.knownFaults > 0 && { known_faults: latest.knownFaults }),
      scope_gaps: latest.scopeGaps,
      is_empty: latest.isEmpty,
    },
    scores: points.map((point) => (comparable.has(point) ? point.score : null)),
    changes: changes ? toChanges(changes, figures.accepted) : null,
    gate: latest.gate,
    attention,
  }
}

function toChanges(changes: ScannerSummary, accepted: number | undefined): ClusterScanner['changes'] {
  return {
    ...(accepted && { accepted_findings: accepted }),
    new_findings: changes.new_findings,
    new_critical: changes.new_critical,
    new_high: changes.new_high,
    regressed_findings: changes.regressed_findings,
    regressed_critical: changes.regressed_critical,
    regressed_high: changes.regressed_high,
    resolved_findings: changes.resolved_findings,
  }
}

function freshnessFor(summary: ClusterSummary) {
  const { artifacts, known, minor_behind, major_behind, affected, affected_critical, affected_high } = summary
  const { ended, ending, compromised, exploited, retired } = summary
  return {
    artifacts,
    known,
    minor_behind,
    major_behind,
    affected,
    affected_critical,
    affected_high,
    compromised,
    exploited,
    retired,
    ended,
    ending,
  }
}

/** `others`: promised reports of clusters without runs. */
function summarize(rated: RatedCluster[], others: PromisedReports[], asking: AskedNews): FleetSummary {
  const { since, now } = asking
  return {
    clusters: rated.length,
    attention: countReasons(rated.map((one) => one.attention)),
    needs_attention: rated.filter((one) => one.attention.length > 0).length,
    now: {
      clusters: rated.filter(({ ofNow }) => ofNow.length > 0).length,
      known: rated.filter(({ ofNow, attention }) => ofNow.length === 0 && attention.length > 0).length,
      attention: countReasons(rated.map(({ ofNow }) => ofNow)),
    },
    news: newsIn(
      rated.map(({ figures }) => figures),
      asking,
    ),
    ...standingIn(rated.map(({ figures }) => figures)),
    pending: rated.filter(
      ({ figures: { isCurrent, scanners, ...figures } }) =>
        !isCurrent || (scanners.length > 0 && figures.since !== since),
    ).length,
    never_reported: others
      .filter(({ every, since }) => isOverdue({ every, since, setBy: 'agent' }, 0, now))
      .slice(0, maxNeverReported)
      .map(({ name, environment, every, since }) => ({
        cluster_name: name,
        environment,
        expected_every: every,
        expected_since: formatTimestamp(since),
      })),
  }
}

/** Counts clusters by reason. */
function countReasons(all: Attention[][]) {
  const counts: Record<string, number> = {}
  for (const reasons of all) for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

/** Sort orders. Input is sorted by name and environment, which breaks ties. Among several scanners, the worst counts. */
const orders: Record<ClusterOrder, (clusters: RatedCluster[]) => RatedCluster[]> = {
  name: (clusters) => clusters,
  urgency: (clusters) => clusters.toSorted(byUrgency),
  // Unknown scores sort last, since they are not good ones.
  score: (clusters) => sortBy(clusters, (one) => lowest(one, scoreFor, Number.POSITIVE_INFINITY)),
  last_scan: (clusters) => sortBy(clusters, (one) => lowest(one, ({ at }) => at, 0)),
}

/**
 * Sorts by compromised artifacts, new critical findings, the largest drop of a score, the most urgent reasons, and the
 * lowest score.
 */
function byUrgency(a: RatedCluster, b: RatedCluster) {
  return (
    Number(b.ofNow.length > 0) - Number(a.ofNow.length > 0) ||
    Number(b.ofNow.includes('compromised')) - Number(a.ofNow.includes('compromised')) ||
    newCritical(b) - newCritical(a) ||
    toChange(a) - toChange(b) ||
    urgencyFor(b.ofNow) - urgencyFor(a.ofNow) ||
    urgencyFor(b.attention) - urgencyFor(a.attention) ||
    lowest(a, scoreFor, 100) - lowest(b, scoreFor, 100)
  )
}

const newCritical = ({ figures }: RatedCluster) =>
  figures.scanners.reduce(
    (sum, { changes }) => sum + (changes?.new_critical ?? 0) + (changes?.regressed_critical ?? 0),
    0,
  )

/** The largest drop of a score; rises do not count. */
const toChange = ({ figures }: RatedCluster) =>
  Math.min(0, ...figures.scanners.map(({ changes }) => changes?.score_delta ?? 0))

const scoreFor = ({ score }: LatestRunFigures): number | null => score

function lowest({ figures }: RatedCluster, of: (latest: LatestRunFigures) => number | null, none: number) {
  const known = figures.scanners.flatMap(({ latest }) => of(latest) ?? [])
  return known.length > 0 ? Math.min(...known) : none
}

function sortBy<T>(items: T[], toKey: (item: T) => number) {
  return items.toSorted((a, b) => compare(toKey(a), toKey(b)))
}
