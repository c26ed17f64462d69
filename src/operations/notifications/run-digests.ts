import { write } from '../../db/transaction.ts'
import { decideDigest, decideFleetReport } from '../../delivery/decide.ts'
import { type DigestRule, nextDigest, textOfRule } from '../../delivery/digest-times.ts'
import type { PlannedMessage } from '../../delivery/rules.ts'
import {
  advanceDigest,
  type DigestSchedule,
  listDigestWishes,
  listDueDigests,
  removeDigestSchedule,
  saveDigestSchedule,
} from '../../store/notifications/digest-schedule.ts'
import { lastEventBy, listEvents } from '../../store/notifications/event-log.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { withOwners } from '../fleet/owned-running.ts'
import { findRunningFor } from '../fleet/running-of-owners.ts'
import { addToOutbox, findAddresses, type NotificationStore } from './outbox.ts'
import { listRecipients } from './recipients.ts'
import { isDecidable } from './route-events.ts'

/** Creates digest schedules for accounts that want digests, and updates them after a change of the time settings. */
export async function scheduleDigests({ db }: NotificationStore, now: UnixSeconds) {
  for (const { userId, period, rule: stored, ...clock } of await listDigestWishes(db)) {
    const rule = { period: period === 'fleet' ? 'weekly' : period, ...clock }
    const text = textOfRule(rule)
    if (stored === text) continue
    const lastEvent = stored === null ? await lastEventBy(db, now, 0) : 0
    await saveDigestSchedule(db, { userId, period, rule: text, nextAt: nextDigest(rule, now), since: now, lastEvent })
  }
}

/** Queues due digests. A digest missed while no process ran is sent once, later. */
export async function runDigests(store: NotificationStore, now: UnixSeconds) {
  let made = 0
  for (;;) {
    const due = await listDueDigests(store.db, now, 50)
    if (due.length === 0) return made
    for (const schedule of due) if (await runDigest(store, schedule, now)) made++
  }
}

async function runDigest(store: NotificationStore, schedule: DigestSchedule, now: UnixSeconds) {
  const { db } = store
  const { userId, period, since, lastEvent } = schedule
  const [recipient] = await listRecipients(store, { userIds: [userId] })
  if (!recipient) return false
  const { digest_hour: hour, digest_weekday: weekday, time_zone: timeZone } = recipient.rules
  const rule = { period: period === 'fleet' ? 'weekly' : period, hour, weekday, timeZone }
  const { to, next } = window(rule, schedule.nextAt, now)
  if (period === 'fleet') {
    // The report itself is created when it is sent.
    const isWanted = recipient.hasEmail && recipient.rules.fleet_report !== 'off'
    const report = isWanted ? decideFleetReport(recipient, to) : undefined
    return queueDigest(store, schedule, report, { nextAt: next, since: to, lastEvent })
  }
  const last = await lastEventBy(db, to, lastEvent)
  const events = (await listEvents(db, { after: lastEvent, upTo: last })).filter(isDecidable)
  const projectIds = new Set(events.flatMap(({ projectId }) => projectId ?? []))
  const found = await findRunningFor(store, { ownerIds: recipient.ownerIds, projectIds }, now)
  const running = recipient.rules.owner_scope === '' ? found : await withOwners(found, { ...store, now })
  const digest = decideDigest(events, recipient, running, { period, from: since, to })
  return queueDigest(store, schedule, digest, { nextAt: next, since: to, lastEvent: last })
}

/** Without a digest, the account no longer wants any of this period. */
async function queueDigest(
  store: NotificationStore,
  schedule: DigestSchedule,
  digest: PlannedMessage | undefined,
  next: Pick<DigestSchedule, 'nextAt' | 'since' | 'lastEvent'>,
) {
  const { userId } = schedule
  const findAddress = await findAddresses(store, [userId])
  return write(store.db, `user:${userId} digests`, async (trx) => {
    if (!digest) {
      await removeDigestSchedule(trx, schedule)
      return false
    }
    if (!(await advanceDigest(trx, schedule, next))) return false
    await addToOutbox(trx, [digest], findAddress)
    return true
  })
}

/** After several missed digests, the last one covers all of their time. */
function window(rule: DigestRule, due: UnixSeconds, now: UnixSeconds) {
  let to = due
  for (;;) {
    const next = nextDigest(rule, to)
    if (next > now) return { to, next }
    to = next
  }
}
