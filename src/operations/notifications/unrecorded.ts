import { toList } from '../../delivery/decide.ts'
import type { LoggedEvent, Recipient } from '../../delivery/rules.ts'
import { listPublished, listScans, type Span } from '../../store/notifications/history.ts'
import { findRegressions } from './find-regressions.ts'
import type { NotificationStore } from './outbox.ts'

/** Limited, because comparing is slow. */
const mostScans = 100

/**
 * Events of a period in which none were recorded, reconstructed from releases by publication day and stored runs by scan
 * time. Their ids follow the recorded ones.
 */
export async function findUnrecorded(store: NotificationStore, choice: Choice): Promise<LoggedEvent[]> {
  const found = [...(await releasesFor(store, choice)), ...(await toRegressions(store, choice))]
  const last = Math.max(0, ...choice.recorded.map(({ id }) => id))
  return found.sort((a, b) => a.at - b.at).map((event, index) => ({ ...event, id: last + 1 + index }))
}

type Unnumbered = Omit<LoggedEvent, 'id'>
interface Choice extends Span {
  recorded: readonly LoggedEvent[]
  recipient: Recipient
}

async function releasesFor(
  { db }: NotificationStore,
  { recorded, recipient, from, to }: Choice,
): Promise<Unnumbered[]> {
  const toKey = (projectId: number | null, { version, releaseType }: LoggedEvent['data']) =>
    JSON.stringify([projectId, releaseType, version])
  const known = new Set(recorded.map(({ projectId, data }) => toKey(projectId, data)))
  const published = await listPublished(db, [...recipient.subscriptions.keys()], { from, to })
  return published.flatMap(({ projectId, ...data }): Unnumbered[] => {
    if (known.has(toKey(projectId, data))) return []
    return [{ type: 'release.published', at: data.publishedAt, ownerId: null, projectId, cluster: null, data }]
  })
}

async function toRegressions(
  store: NotificationStore,
  { recorded, recipient, from, to }: Choice,
): Promise<Unnumbered[]> {
  if (!toList(recipient.rules.cluster_events).includes('report.regressed')) return []
  const known = new Set(recorded.map(({ data }) => data.runId))
  const scans = await listScans(store.db, recipient.ownerIds, { from, to, limit: mostScans })
  const found: Unnumbered[] = []
  for (const { runId, at, ownerId, clusterId, cluster } of scans) {
    if (known.has(runId)) continue
    const ingested = { id: 0, type: 'report.ingested' as const, at, ownerId, projectId: null, clusterId, cluster }
    const [regression] = await findRegressions(store, [{ ...ingested, data: { runId } }], to)
    if (regression)
      found.push({ type: 'report.regressed', at, ownerId, projectId: null, cluster, data: regression.data })
  }
  return found
}
