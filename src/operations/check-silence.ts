import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { forgetGoneAgents, hasGoneAgents } from '../store/agent.ts'
import { recordAudit } from '../store/audit.ts'
import {
  endSilence,
  listOpenSilences,
  listOverdueClusters,
  openSilence,
  silenceKey,
  silenceSubject,
} from '../store/cluster-silence.ts'
import type { UnixSeconds } from '../util/time.ts'

export interface SilenceChanges {
  /** `name/environment` of the clusters. */
  opened: string[]
  ended: string[]
}

/**
 * Opens an event for each cluster from which no report comes, and ends those of clusters that report again. Any number of
 * servers on one store may check: the event is opened once. A check that finds nothing new does not write.
 */
export async function checkSilence(db: Db, now: UnixSeconds): Promise<SilenceChanges> {
  const { opening, ending } = await compare(db, now)
  const isUnchanged = opening.length === 0 && ending.length === 0 && !(await hasGoneAgents(db, now))
  if (isUnchanged) return { opened: [], ended: [] }
  return inTransaction(db, (trx) => update(trx, now))
}

async function update(trx: Db, now: UnixSeconds): Promise<SilenceChanges> {
  await forgetGoneAgents(trx, now)
  const { opening, ending } = await compare(trx, now)
  const changes: SilenceChanges = { opened: [], ended: [] }
  for (const cluster of opening) {
    if (!(await openSilence(trx, cluster, now))) continue
    const subject = silenceSubject(silenceKey(cluster))
    changes.opened.push(subject)
    await audit(trx, 'cluster.silent', subject, now)
  }
  for (const { id, key } of ending) {
    if (!(await endSilence(trx, id, now))) continue
    const subject = silenceSubject(key)
    changes.ended.push(subject)
    await audit(trx, 'cluster.heard', subject, now)
  }
  return changes
}

async function compare(db: Db, now: UnixSeconds) {
  const [overdue, open] = [await listOverdueClusters(db, {}, now), await listOpenSilences(db)]
  const idOf = (ownerId: number, key: string) => `${ownerId} ${key}`
  const silent = new Set(overdue.map((cluster) => idOf(cluster.ownerId, silenceKey(cluster))))
  const known = new Set(open.map(({ ownerId, key }) => idOf(ownerId, key)))
  return {
    opening: overdue.filter((cluster) => !known.has(idOf(cluster.ownerId, silenceKey(cluster)))),
    ending: open.filter(({ ownerId, key }) => !silent.has(idOf(ownerId, key))),
  }
}

/** A report has come: its cluster's event ends at once. In the transaction that stores the report. */
export async function endSilenceOf(
  trx: Db,
  cluster: { ownerId: number; name: string; environment: string },
  now: UnixSeconds,
): Promise<void> {
  const { ownerId, name, environment } = cluster
  const [open] = await listOpenSilences(trx, { ownerId, key: silenceKey(cluster) })
  if (!open) return
  // The report of an old scan ends nothing.
  if ((await listOverdueClusters(trx, { ownerId, name, environment }, now)).length > 0) return
  if (await endSilence(trx, open.id, now)) await audit(trx, 'cluster.heard', silenceSubject(open.key), now)
}

function audit(trx: Db, action: string, subject: string, now: UnixSeconds): Promise<void> {
  return recordAudit(trx, { at: now, user: undefined, action, subject, requestId: undefined })
}
