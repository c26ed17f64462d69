import type { FindingSeverity } from '../../contract/scan-finding.ts'
import { ReltError } from '../../errors.ts'
import type { StoredEvent } from '../../store/notifications/event-log.ts'
import type { NewEvent } from '../../store/notifications/record-event.ts'
import { getRun } from '../../store/runs/run.ts'
import { daySeconds, type UnixSeconds } from '../../util/time.ts'
import { markComparison, unacceptedOf } from '../findings/accepting.ts'
import { compareReports } from '../runs/compare.ts'
import type { NotificationStore } from './outbox.ts'

/** Less severe findings come and go with each scan. An unknown severity may be any. */
const alarming = ['critical', 'high', 'unknown'] as const

/** Older scans cause no events, for example those imported from another server. */
const freshSeconds = 7 * daySeconds

/** Stored runs with new or regressed findings of high severity since the previous run. */
export async function findRegressions(
  store: NotificationStore,
  ingested: StoredEvent[],
  now: UnixSeconds,
): Promise<NewEvent[]> {
  const found: NewEvent[] = []
  for (const event of ingested) {
    const regression = await findRegression(store, event, now)
    if (regression) found.push(regression)
  }
  return found
}

async function findRegression(
  { db, vault }: NotificationStore,
  event: StoredEvent,
  now: UnixSeconds,
): Promise<NewEvent | undefined> {
  const { ownerId, clusterId, at } = event
  const { runId } = event.data
  if (ownerId === null || clusterId === null || runId === undefined) return undefined
  try {
    const run = await getRun(db, ownerId, runId)
    if (run.at < at - freshSeconds) return undefined
    const found = await compareReports(db, { ownerId, clusterId, toRunId: runId, vault })
    const comparison = await markComparison(db, found, { ownerId, vault, now })
    const { added, regressed } = unacceptedOf(comparison)
    const counts = countBySeverity([...added, ...regressed])
    const worst = alarming.find((one) => counts[one])
    if (!worst) return undefined
    const severity = worst === 'unknown' ? null : worst
    const data = { runId, fromRunId: comparison.from.run_id, severity, counts }
    return { type: 'report.regressed', at, ownerId, clusterId, key: `report.regressed/${runId}`, data }
  } catch (error) {
    // The run was deleted, it is the first one, or the store's key is missing: there is nothing to compare.
    if (error instanceof ReltError && ['not_found', 'key_unavailable'].includes(error.code)) return undefined
    throw error
  }
}

export function countBySeverity(findings: { severity: FindingSeverity }[]): Partial<Record<FindingSeverity, number>> {
  const counts: Partial<Record<FindingSeverity, number>> = {}
  for (const { severity } of findings) counts[severity] = (counts[severity] ?? 0) + 1
  return counts
}
