import type { Db } from '../../db/open.ts'
import { rankAt, recordLength } from '../../reports/finding-records.ts'
import { findRunChanges, type RunChanges } from '../../store/findings/scanner-change.ts'
import type { ClusterFigures, LatestRunFigures, ScannerFigures } from '../../store/fleet/figures.ts'
import { getFindingRecords } from '../../store/runs/records.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { type AcceptedFindings, openAccepted } from '../findings/accepted.ts'
import { type Asking, type ClusterAcceptance, findAccepting } from '../findings/accepting.ts'
import { findNews, findRunsSince, keyAt } from '../findings/run-changes.ts'
import { findOldestCritical } from './refresh.ts'

/**
 * Subtracts new and regressed findings that exceptions cover now, and counts the critical ones of the latest run. Stored
 * figures include them, because exceptions expire.
 */
export async function withoutAccepted(db: Db, all: ClusterFigures[], asking: Asking): Promise<ClusterFigures[]> {
  const accepting = await findAccepting(db, asking)
  const concerned = all.filter((each) => accepting.in(placeFor(each)) !== undefined)
  if (concerned.length === 0) return all
  const changed = concerned.flatMap(({ scanners }) => scanners.filter(hasChanges))
  const stored = await findRunChanges(
    db,
    changed.map(({ latest }) => latest.rowId),
  )
  const vault = await asking.vault()
  const counted = new Map<number, AcceptedCounts>()
  const critical = new Map<number, { acceptedCritical: number; oldest?: UnixSeconds | null }>()
  for (const cluster of concerned) {
    const acceptance = accepting.in(placeFor(cluster))!
    for (const { latest, changes, news } of cluster.scanners.filter(mayBeAccepted)) {
      const { rowId: id } = latest
      const accepted = await acceptedOfScanner(db, { clusterId: cluster.id, latest }, acceptance, asking)
      critical.set(id, await countCritical(db, { clusterId: cluster.id, latest }, accepted))
      if (accepted.size === 0 || !hasChanges({ changes })) continue
      // Compares again if there were too many changes to store.
      const find = async () => findNews(db, vault, await findRunsSince(db, id, cluster.since!))
      counted.set(id, countIn(news ?? stored.get(id) ?? (await find()), accepted))
    }
  }
  const subtract = (scanner: ScannerFigures) => {
    const { rowId } = scanner.latest
    const counts = counted.get(rowId)
    const { acceptedCritical = 0, oldest } = critical.get(rowId) ?? {}
    const left = counts ? without(scanner, counts) : scanner
    const changes = left.changes && oldest !== undefined ? { ...left.changes, oldest_critical: oldest } : left.changes
    return { ...left, changes, acceptedCritical }
  }
  return all.map((each) => ({ ...each, scanners: each.scanners.map(subtract) }))
}

/** Covered findings in the latest run of a scanner. */
export function acceptedOfScanner(
  db: Db,
  { clusterId, latest: { rowId: id, revision, runId, format } }: { clusterId: number; latest: LatestRunFigures },
  acceptance: ClusterAcceptance,
  asking: Pick<Asking, 'ownerId' | 'vault'>,
) {
  const run = { run_id: runId, format, source_version: null }
  return openAccepted(db, { id, clusterId, revision, run }, acceptance, asking)
}

const placeFor = ({ name, environment }: ClusterFigures) => ({ cluster_name: name, environment })

const hasChanges = ({ changes }: Pick<ScannerFigures, 'changes'>) =>
  (changes?.new_findings ?? 0) + (changes?.regressed_findings ?? 0) > 0

const mayBeAccepted = (scanner: ScannerFigures) => hasChanges(scanner) || scanner.latest.findings.critical > 0

/** The accepted critical findings of a run; if there are any, with the time of the oldest other one. */
async function countCritical(
  db: Db,
  { clusterId, latest }: { clusterId: number; latest: LatestRunFigures },
  accepted: AcceptedFindings,
) {
  const acceptedCritical = [...accepted.values()].reduce((sum, { rank, count }) => sum + (rank === 0 ? count : 0), 0)
  if (acceptedCritical === 0) return { acceptedCritical }
  const records = await getFindingRecords(db, latest.rowId)
  const oldest = await findOldestCritical(db, clusterId, records, (at) => !accepted.has(keyAt(records, at)))
  return { acceptedCritical, oldest }
}

type AcceptedCounts = Record<'new' | 'regressed', { findings: number; critical: number; high: number }>

function countIn(records: RunChanges, accepted: AcceptedFindings) {
  const none = () => ({ findings: 0, critical: 0, high: 0 })
  const counts: AcceptedCounts = { new: none(), regressed: none() }
  for (const state of ['new', 'regressed'] as const) {
    const own = records[state]
    for (let at = 0; at < own.length; at += recordLength) {
      if (!accepted.has(keyAt(own, at))) continue
      const rank = rankAt(own, at)
      counts[state].findings++
      if (rank === 0) counts[state].critical++
      if (rank === 1) counts[state].high++
    }
  }
  return counts
}

function without({ latest, changes }: ScannerFigures, { new: added, regressed }: AcceptedCounts): ScannerFigures {
  return {
    latest,
    accepted: added.findings + regressed.findings,
    changes: changes && {
      ...changes,
      new_findings: changes.new_findings - added.findings,
      new_critical: changes.new_critical - added.critical,
      new_high: changes.new_high - added.high,
      regressed_findings: changes.regressed_findings - regressed.findings,
      regressed_critical: changes.regressed_critical - regressed.critical,
      regressed_high: changes.regressed_high - regressed.high,
    },
  }
}
