import type { FindingSeverity } from '../../contract/scan-finding.ts'
import { ReltError } from '../../errors.ts'
import { offsetsIn } from '../../reports/finding-records.ts'
import { newsSince } from '../../reports/news-since.ts'
import { readFindings } from '../../reports/read-findings.ts'
import type { StoredEvent } from '../../store/notifications/event-log.ts'
import type { NewEvent } from '../../store/notifications/record-event.ts'
import { getRun } from '../../store/runs/run.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { daySeconds, type UnixSeconds } from '../../util/time.ts'
import { findAccepting } from '../findings/accepting.ts'
import { findNews, keyAt, storedStates } from '../findings/run-changes.ts'
import { findRunBeforeBuild } from '../runs/build.ts'
import { openFindings } from '../runs/open-findings.ts'
import type { NotificationStore } from './outbox.ts'

/** Less severe findings come and go with each scan. An unknown severity may be any. */
const alarming = ['critical', 'high', 'unknown'] as const

/** Older scans cause no events, for example those imported from another server. */
const freshSeconds = 7 * daySeconds

/** Stored runs with news of high severity that no earlier run had reported. */
export async function findRegressions(store: NotificationStore, ingested: StoredEvent[], now: UnixSeconds) {
  const found: NewEvent[] = []
  for (const event of ingested) {
    const regression = await findRegression(store, event, now)
    if (regression) found.push(regression)
  }
  return found
}

async function findRegression(
  store: NotificationStore,
  event: StoredEvent,
  now: UnixSeconds,
): Promise<NewEvent | undefined> {
  const { ownerId, clusterId, at } = event
  const { runId } = event.data
  if (ownerId === null || clusterId === null || runId === undefined) return undefined
  try {
    const run = await getRun(store.db, ownerId, runId)
    if (run.at < at - freshSeconds) return undefined
    const since = newsSince(run.at, store.timeZone)
    const counts = countBySeverity((await findUntoldNews(store, run, { ownerId, since, now })).findings)
    const worst = alarming.find((one) => counts[one])
    if (!worst) return undefined
    const severity = worst === 'unknown' ? null : worst
    const data = { runId, since, severity, counts }
    return { type: 'report.regressed', at, ownerId, clusterId, key: `report.regressed/${runId}`, data }
  } catch (error) {
    // The run was deleted, or the store's key is missing: there is nothing to compare.
    if (error instanceof ReltError && ['not_found', 'key_unavailable'].includes(error.code)) return undefined
    throw error
  }
}

/** News of a run since a time that the run before it did not have, which was reported itself. */
export async function findUntoldNews(
  { db, vault: openVault }: NotificationStore,
  to: StoredRun,
  { ownerId, since, now }: { ownerId: number; since: UnixSeconds; now: UnixSeconds },
) {
  const vault = await openVault()
  const from = await findRunBeforeBuild(db, to, since)
  const before = await findRunBeforeBuild(db, to)
  const news = await findNews(db, vault, { to, from })
  const latest = from?.id === before?.id ? news : await findNews(db, vault, { to, from: before })
  const [states, untold] = [storedStates(news), storedStates(latest)]
  const run = await openFindings(db, vault, to)
  const acceptance = (await findAccepting(db, { ownerId, vault: openVault, now })).in(to.run)
  const keyOf = (at: number) => keyAt(run.index.records, at)
  const offsets = offsetsIn(run.index.records).filter((at) => states.has(keyOf(at)) && untold.has(keyOf(at)))
  const found = (await readFindings(run, offsets)).map((finding, i) => ({
    ...finding,
    isRegressed: states.get(keyOf(offsets[i]!)) === 'regressed',
  }))
  const findings = found.filter((finding) => !acceptance?.of(finding))
  return { findings, accepted: found.length - findings.length, comparison: news.comparison }
}

export function countBySeverity(findings: { severity: FindingSeverity }[]): Partial<Record<FindingSeverity, number>> {
  const counts: Partial<Record<FindingSeverity, number>> = {}
  for (const { severity } of findings) counts[severity] = (counts[severity] ?? 0) + 1
  return counts
}
