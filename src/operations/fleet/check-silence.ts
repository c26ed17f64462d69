import type { Db } from '../../db/open.ts'
import { takeLock, write } from '../../db/transaction.ts'
import type { EventData } from '../../delivery/rules.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { forgetGoneAgents, hasGoneAgents } from '../../store/fleet/agent.ts'
import { placeKey } from '../../store/fleet/place.ts'
import {
  endSilence,
  listOpenSilences,
  listOverdueClusters,
  type OpenSilence,
  openSilence,
  silenceSubject,
} from '../../store/fleet/silence.ts'
import { recordEvents } from '../../store/notifications/record-event.ts'
import { findCluster } from '../../store/runs/cluster.ts'
import type { UnixSeconds } from '../../util/time.ts'

interface SilenceChanges {
  /** `name/environment` of the clusters. */
  opened: string[]
  ended: string[]
}

/**
 * Opens an event for each silent cluster, and ends those of clusters that report again. Safe to run on several servers of a
 * store: each event is opened once. A check without changes does not write.
 */
export async function checkSilence(db: Db, now: UnixSeconds) {
  const { opening, ending } = await compare(db, now)
  const isUnchanged = opening.length === 0 && ending.length === 0 && !(await hasGoneAgents(db, now))
  if (isUnchanged) return { opened: [], ended: [] }
  return write(db, 'silences', (trx) => update(trx, now))
}

async function update(trx: Db, now: UnixSeconds) {
  await forgetGoneAgents(trx, now)
  const { opening, ending } = await compare(trx, now)
  const changes: SilenceChanges = { opened: [], ended: [] }
  for (const cluster of opening) {
    if (!(await openSilence(trx, cluster, now))) continue
    const subject = silenceSubject(placeKey(cluster))
    changes.opened.push(subject)
    await audit(trx, 'cluster.silent', subject, now)
    await note(trx, cluster, { lastReportAt: cluster.lastReportAt, expectedEvery: cluster.expectedEvery }, now)
  }
  for (const silence of ending) {
    if (await end(trx, silence, now)) changes.ended.push(silenceSubject(silence.key))
  }
  return changes
}

async function compare(db: Db, now: UnixSeconds) {
  const [overdue, open] = [await listOverdueClusters(db, {}, now), await listOpenSilences(db)]
  const toId = (ownerId: number, key: string) => `${ownerId} ${key}`
  const silent = new Set(overdue.map((cluster) => toId(cluster.ownerId, placeKey(cluster))))
  const known = new Set(open.map(({ ownerId, key }) => toId(ownerId, key)))
  return {
    opening: overdue.filter((cluster) => !known.has(toId(cluster.ownerId, placeKey(cluster)))),
    ending: open.filter(({ ownerId, key }) => !silent.has(toId(ownerId, key))),
  }
}

/** Ends the event of a silent cluster when a report arrives. Call it in the transaction that stores the report. */
export async function endSilenceFor(
  trx: Db,
  cluster: { ownerId: number; name: string; environment: string },
  now: UnixSeconds,
) {
  const { ownerId, name, environment } = cluster
  // A concurrent check would not see the report, and might open an event afterwards.
  await takeLock(trx, 'silences', { shared: true })
  const [open] = await listOpenSilences(trx, { ownerId, key: placeKey(cluster) })
  if (!open) return
  // A report of an old scan does not end the silence.
  if ((await listOverdueClusters(trx, { ownerId, name, environment }, now)).length > 0) return
  await end(trx, open, now)
}

/** False if it has already ended. */
async function end(trx: Db, { id, ownerId, key, data }: OpenSilence, now: UnixSeconds) {
  if (!(await endSilence(trx, id, now))) return false
  await audit(trx, 'cluster.heard', silenceSubject(key), now)
  const { cluster_name: name, environment, expected_every: expectedEvery, last_report_at: lastReportAt } = data
  await note(trx, { ownerId, name, environment }, { lastReportAt, expectedEvery, endedAt: now }, now)
  return true
}

/** A cluster that never reported has no row: the event contains its name. */
async function note(
  trx: Db,
  { ownerId, name, environment }: { ownerId: number; name: string; environment: string },
  data: EventData,
  now: UnixSeconds,
) {
  const cluster = await findCluster(trx, { ownerId, name, environment })
  await recordEvents(trx, [
    {
      type: 'cluster.silent',
      at: now,
      ownerId,
      ...(cluster && { clusterId: cluster.id }),
      data: { ...data, cluster: name, environment },
    },
  ])
}

function audit(trx: Db, action: string, subject: string, now: UnixSeconds) {
  return recordAudit(trx, { at: now, user: undefined, action, subject, requestId: undefined })
}
