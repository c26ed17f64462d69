import { findingSeverities } from '../../contract/choices.ts'
import type { ClusterMetrics, FleetMetrics, ScannerMetrics, SeverityCounts } from '../../contract/cluster-metrics.ts'
import type { Db } from '../../db/open.ts'
import { rankAt, recordLength } from '../../reports/finding-records.ts'
import { findRunChanges, type RunChanges } from '../../store/findings/scanner-change.ts'
import {
  type ClusterFigures,
  listClusterFigures,
  newestOf,
  providerOf,
  type ScannerFigures,
} from '../../store/fleet/figures.ts'
import { countFailingSources, findNewestAdvisories } from '../../store/fleet/metrics.ts'
import { placeKey } from '../../store/fleet/place.ts'
import { findPromisedReports } from '../../store/fleet/silence.ts'
import { listRunningParts } from '../../store/fleet/summary.ts'
import { RecentValues } from '../../util/recent-values.ts'
import { formatTimestamp } from '../../util/time.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import type { AcceptedFindings } from '../findings/accepted.ts'
import { type Accepting, type Asking, findAccepting } from '../findings/accepting.ts'
import { keyAt } from '../findings/run-changes.ts'
import { acceptedOfScanner } from './accepted-changes.ts'
import { expectedReports } from './attention.ts'
import { type RunningFigures, readFigures } from './running-figures.ts'
import { openRunning } from './running-versions.ts'

/** Maximum runs that one scrape opens to count accepted findings; later scrapes count the rest. */
export const mostOpened = 20

interface Asked extends Asking {
  /** Maximum runs to open to count accepted findings. */
  mayOpen: number
}

/** Reads stored figures about an owner's clusters; computes none. */
export async function measureFleet(db: Db, { ownerId, vault, now, mayOpen }: Asked): Promise<FleetMetrics> {
  const clusters = await listClusterFigures(db, { ownerId }, now)
  const running = await openFigures(db, ownerId, vault)
  const days = [...running.values()].flatMap(({ known_until }) => known_until ?? [])
  const accepting = await findAccepting(db, { ownerId, vault, now })
  const promises = await findPromisedReports(db, ownerId)
  const accepted = await countAccepted(db, clusters, accepting, { ownerId, vault, mayOpen })
  return {
    success: true,
    catalog_date: days.sort()[0] ?? (await getCatalogDate(db, now)),
    advisories_date: await findNewestAdvisories(db),
    sources: (await countFailingSources(db)).map(({ kind, failing }) => ({ kind, is_up: failing === 0 })),
    items: clusters.map((cluster) => ({
      ...measure(cluster, running.get(cluster.id), accepted),
      expected_every: expectedReports(cluster, promises.get(placeKey(cluster)))?.every ?? null,
    })),
  }
}

/** Key: row id of the cluster. */
async function openFigures(db: Db, ownerId: number, vault: Asked['vault']): Promise<Map<number, RunningFigures>> {
  const parts = await listRunningParts(db, { ownerId }, 2)
  if (parts.length === 0) return new Map()
  const keys = await vault()
  return new Map(parts.map((part) => [part.clusterId, readFigures(openRunning(keys, part, 2))]))
}

/** Accepted findings of a run: all, new and regressed, by severity. */
type AcceptedCounts = Record<'all' | 'new' | 'regressed', SeverityCounts>

/** Key: row id of the latest run. */
type Accepted = ReadonlyMap<number, AcceptedCounts>

/** Cached, because runs and exceptions never change. Changes depend on the time of news. */
const counted = new RecentValues<AcceptedCounts>(50_000)
const zero: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 }
const none: AcceptedCounts = { all: zero, new: zero, regressed: zero }

/** Omits runs beyond `mayOpen` that would have to be opened. */
async function countAccepted(
  db: Db,
  clusters: ClusterFigures[],
  accepting: Accepting,
  { ownerId, vault, mayOpen }: Pick<Asked, 'ownerId' | 'vault' | 'mayOpen'>,
): Promise<Accepted> {
  const found = new Map<number, AcceptedCounts>()
  let opened = 0
  for (const { id: clusterId, name, environment, scanners, since } of clusters) {
    const acceptance = accepting.in({ cluster_name: name, environment })
    for (const { latest } of scanners) {
      const key = `${latest.runId} ${latest.revision} ${since} ${acceptance?.key}`
      let counts = acceptance ? counted.get(key) : none
      if (acceptance && !counts && opened < mayOpen) {
        opened++
        const accepted = await acceptedOfScanner(db, { clusterId, latest }, acceptance, { ownerId, vault })
        counts = countRanks(accepted, (await findRunChanges(db, [latest.rowId])).get(latest.rowId))
        counted.set(key, counts)
      }
      if (counts) found.set(latest.rowId, counts)
    }
  }
  return found
}

function countRanks(accepted: AcceptedFindings, changes: RunChanges | undefined): AcceptedCounts {
  const all = { ...zero }
  for (const { rank, count } of accepted.values()) all[findingSeverities[rank]!] += count
  const among = (records: Buffer | undefined) => {
    const counts = { ...zero }
    for (let at = 0; records && at < records.length; at += recordLength) {
      if (accepted.has(keyAt(records, at))) counts[findingSeverities[rankAt(records, at)]!]++
    }
    return counts
  }
  return { all, new: among(changes?.new), regressed: among(changes?.regressed) }
}

function measure(
  cluster: ClusterFigures,
  running: RunningFigures | undefined,
  accepted: Accepted,
): Omit<ClusterMetrics, 'expected_every'> {
  const { name, environment, scanners, since, summary } = cluster
  const isKnown = running !== undefined && summary !== undefined && summary.artifacts > 0
  return {
    cluster_name: name,
    environment,
    provider: providerOf(scanners),
    kubernetes_version: newestOf(scanners, ({ kubernetesVersion }) => kubernetesVersion),
    ...(since !== null && { since: formatTimestamp(since) }),
    scanners: joinByFormat(
      scanners.map((scanner) => measureScanner(scanner, accepted.get(scanner.latest.rowId) ?? null)),
    ),
    running: isKnown ? { coverage: summary.known / summary.artifacts, ...running } : null,
  }
}

function measureScanner({ latest, changes }: ScannerFigures, accepted: AcceptedCounts | null): ScannerMetrics {
  const { total: _, ...findings } = latest.findings
  return {
    format: latest.format,
    last_scan: formatTimestamp(latest.at),
    score: latest.score,
    findings,
    // A scan that looked at nothing has no known findings.
    accepted: latest.isEmpty ? null : (accepted?.all ?? null),
    changes: changes && !latest.isEmpty ? withoutAccepted(JSON.parse(changes.changes), accepted ?? none) : null,
    checks_not_run: latest.notRunChecks,
    gate: latest.gate?.verdict ?? null,
  }
}

/** One for each scanner, whose figures are the sums of its subjects: their names would be labels without bound. */
function joinByFormat(scanners: ScannerMetrics[]): ScannerMetrics[] {
  return [...Map.groupBy(scanners, ({ format }) => format).values()].map((own) => own.reduce(join))
}

const worstFirst = ['failed', 'undecided', 'passed'] as const

function join(one: ScannerMetrics, other: ScannerMetrics): ScannerMetrics {
  const [from, to] = [one.changes, other.changes]
  return {
    format: one.format,
    last_scan: one.last_scan > other.last_scan ? one.last_scan : other.last_scan,
    score: null,
    findings: add(one.findings, other.findings),
    accepted: one.accepted && other.accepted && add(one.accepted, other.accepted),
    changes:
      from && to
        ? {
            new: add(from.new, to.new),
            regressed: add(from.regressed, to.regressed),
            resolved: add(from.resolved, to.resolved),
          }
        : (from ?? to),
    checks_not_run: one.checks_not_run + other.checks_not_run,
    gate: worstFirst.find((verdict) => verdict === one.gate || verdict === other.gate) ?? null,
  }
}

function withoutAccepted(changes: NonNullable<ScannerMetrics['changes']>, accepted: AcceptedCounts) {
  return {
    resolved: changes.resolved,
    new: add(changes.new, accepted.new, -1),
    regressed: add(changes.regressed, accepted.regressed, -1),
  }
}

const add = (one: SeverityCounts, other: SeverityCounts, sign: 1 | -1 = 1) =>
  ({
    ...one,
    ...Object.fromEntries(findingSeverities.map((each) => [each, one[each] + sign * other[each]])),
  }) as SeverityCounts
