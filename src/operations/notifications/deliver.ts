import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelName } from '../../contract/channels.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { nextAttempt, patienceSeconds, pauseOfHost } from '../../delivery/attempts.ts'
import { ReltError } from '../../errors.ts'
import type { Delivery, Outcome, SendTools } from '../../notify/delivery.ts'
import type { MessageLinks, NotificationEvent } from '../../notify/message.ts'
import {
  type AttemptResult,
  endWaiting,
  getMessage,
  insertDeliveries,
  type OutboxMessage,
  saveAttempt,
  takeMessages,
} from '../../store/notifications/delivery.ts'
import {
  claimTarget,
  claimTargets,
  ensureTarget,
  findOpenUntil,
  getTarget,
  hasDueTarget,
  listOtherPlaces,
  noteHostAnswer,
  noteHostFailure,
  releaseTarget,
  setFailingSince,
  switchOff,
  switchOn,
  type Target,
  wakeTarget,
} from '../../store/notifications/delivery-target.ts'
import { recordEvent } from '../../store/notifications/record-event.ts'
import type { Secret } from '../../util/secret.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { loadMessage } from './load-message.ts'
import { type FindAddress, findAddresses, findSetUp, type NotificationStore, switchedOff } from './outbox.ts'

/** Sends messages out of this process. */
export interface Carrier {
  /** Configured channels. */
  channels: readonly ChannelName[]
  load: (channel: ChannelName) => Promise<Delivery>
  /** Returns the tools to send messages to one target. */
  toolsFor: (target: Target, signal: AbortSignal) => Promise<SendTools>
  /** `events` are the events in the message. */
  toLinks: (message: OutboxMessage, events: readonly NotificationEvent[]) => Promise<MessageLinks>
  close: () => Promise<void>
}

export interface OutboxSenderOptions {
  carrier: Carrier
  /** Unix seconds. */
  now: () => UnixSeconds
  /** Maximum targets served in parallel. */
  concurrency?: number
  /** Another sender takes over after this time without a lease renewal. */
  leaseSeconds?: number
  onError?: (error: unknown) => void
  /** Replaced in tests. */
  random?: () => number
}

export interface SentCounts {
  sent: number
  failed: number
  skipped: number
}

interface AttemptFacts {
  outcome: Outcome
  host: string
  findAddress: FindAddress
}

/** Maximum messages per lease. */
const messagesAtOnce = 20
const idleMs = 500
/** A post has its own timeout; one that has started is not aborted when the process ends. */
const neverAborted = new AbortController().signal

/**
 * Sends due messages. Targets are leased, so several senders can share a store, and messages to one target are sent in
 * sequence. Each outcome is stored right after the attempt: a killed sender repeats at most the messages in flight.
 */
export function createSender(
  store: NotificationStore,
  { carrier, now, concurrency = 8, leaseSeconds = 60, onError, random = Math.random }: OutboxSenderOptions,
) {
  const { db } = store
  const { channels } = carrier
  const abort = new AbortController()
  const busy = new Set<Promise<void>>()
  const counts: SentCounts = { sent: 0, failed: 0, skipped: 0 }
  return { counts, drain, run, stop, sendNow }

  /** Sends until no message is due. */
  async function drain(): Promise<SentCounts> {
    while ((await claim()) || busy.size > 0) await Promise.race(busy)
    return counts
  }

  /** Sends messages as they become due; `beforeLook` may queue more. Returns after `stop`. */
  async function run(beforeLook: () => Promise<void>) {
    while (!abort.signal.aborted) {
      try {
        await beforeLook()
        if (await claim()) continue
      } catch (error) {
        onError?.(error)
      }
      await sleep(idleMs, undefined, { signal: abort.signal }).catch(() => undefined)
    }
    await Promise.all(busy)
  }

  /** Stops taking messages, and waits for those in flight. */
  async function stop() {
    abort.abort()
    await Promise.all(busy)
  }

  /** Leases waiting targets and starts sending; false if there are none, or no capacity. */
  async function claim(): Promise<boolean> {
    const free = concurrency - busy.size
    if (free <= 0 || channels.length === 0) return false
    if (!(await hasDueTarget(db, { channels, now: now() }))) return false
    const lease = randomBytes(9).toString('hex')
    const targets = await write(db, 'nothing', (trx) =>
      claimTargets(trx, { channels, now: now(), leaseSeconds, lease, limit: free }),
    )
    for (const target of targets) start(serve(target, lease))
    return targets.length > 0
  }

  function start(work: Promise<void>) {
    const running = work.catch((error: unknown) => onError?.(error)).finally(() => busy.delete(running))
    busy.add(running)
  }

  /** Sends the due messages of a leased target. */
  async function serve(target: Target, lease: string) {
    const begun = now()
    const messages = await write(db, 'nothing', (trx) =>
      takeMessages(trx, { targetId: target.id, now: begun, limit: messagesAtOnce }),
    )
    const delivery = await carrier.load(target.channel)
    let earliest = begun
    try {
      const findAddress = await findAddresses(store, [target.userId])
      for (const [index, message] of messages.entries()) {
        if (abort.signal.aborted || now() - begun > leaseSeconds / 2) break
        if (index > 0 && delivery.secondsBetween > 0) await sleep(delivery.secondsBetween * 1000)
        const sent = await send(target, message, { delivery, findAddress })
        earliest = Math.max(earliest, now() + Math.ceil(delivery.secondsBetween), sent.pausedUntil)
        if (sent.pausedUntil > now()) break
      }
    } catch (error) {
      earliest = now() + leaseSeconds
      throw error
    } finally {
      await write(db, 'nothing', async (trx) => releaseTarget(trx, { id: target.id, lease, earliest }))
    }
  }

  async function send(
    target: Target,
    outbox: OutboxMessage,
    { delivery, findAddress }: { delivery: Delivery; findAddress: FindAddress },
  ): Promise<{ pausedUntil: UnixSeconds }> {
    const address = findAddress(target)
    if (!address) return skip(outbox, 'the address was removed')
    const host = toHost(target.channel, address)
    const { openUntil } = await findOpenUntil(db, host)
    // A test is sent even while the host is failing, to report the current error.
    if (openUntil > now() && outbox.kind !== 'test') return { pausedUntil: openUntil }
    const made = await attempt(target, outbox, { delivery, address })
    if ('skip' in made) return skip(outbox, made.skip)
    await save(target, outbox, { outcome: made.outcome, host, findAddress })
    return { pausedUntil: 0 }
  }

  /** Failures of the store are not the receiver's: they are thrown, and the message stays due. */
  async function attempt(
    target: Target,
    outbox: OutboxMessage,
    { delivery, address }: { delivery: Delivery; address: Secret },
  ): Promise<{ outcome: Outcome } | { skip: string }> {
    const loaded = await loadMessage(store, outbox, { now: now(), toLinks: carrier.toLinks })
    if ('skip' in loaded) return loaded
    const tools = await carrier.toolsFor(target, neverAborted)
    try {
      return { outcome: await delivery.send(loaded.message, address, tools) }
    } catch (error) {
      onError?.(error)
      return {
        outcome: { result: 'retry', reason: 'relt failed to send it', httpStatus: null, retryAfterSeconds: null },
      }
    }
  }

  async function skip(outbox: OutboxMessage, error: string) {
    const result: AttemptResult = { status: 'skipped', httpStatus: null, error, notBefore: null, isAttempt: false }
    await write(db, 'nothing', (trx) => saveAttempt(trx, outbox.id, result, now()))
    counts.skipped++
    return { pausedUntil: 0 }
  }

  async function save(target: Target, outbox: OutboxMessage, { outcome, host, findAddress }: AttemptFacts) {
    const at = now()
    const { result, httpStatus } = outcome
    const isDone = result === 'delivered' || result === 'accepted'
    if (isDone) counts.sent++
    else counts.failed++
    const changed = await write(db, 'nothing', async (trx) => {
      const current = { ...target }
      const notBefore =
        result === 'retry' && outbox.kind !== 'test'
          ? (nextAttempt({
              attempts: outbox.attempts + 1,
              now: at,
              retryAfterSeconds: outcome.retryAfterSeconds,
              random: random(),
            }) ?? null)
          : null
      const status = isDone ? result : notBefore === null ? 'dead' : 'failed'
      const error = 'reason' in outcome ? outcome.reason : null
      await saveAttempt(trx, outbox.id, { status, httpStatus, error, notBefore, isAttempt: true }, at)
      if (isDone) await noteSuccess(trx, current, { host, isTest: outbox.kind === 'test' })
      else await noteFailure(trx, current, { outcome, host, now: at, isTest: outbox.kind === 'test', findAddress })
      return current
    })
    Object.assign(target, changed)
  }

  /**
   * Sends one message immediately, ahead of others for its target, and returns it after the attempt. Throws `busy` if
   * another sender holds the target for long.
   */
  async function sendNow(id: number, targetId: number) {
    const lease = randomBytes(9).toString('hex')
    for (let tries = 0; !(await claimTarget(db, { id: targetId, lease, now: now(), leaseSeconds })); tries++) {
      if (tries >= 150) throw new ReltError('busy', 'Another message is on its way to this address.')
      await sleep(100)
    }
    try {
      const message = await getMessage(db, id)
      const findAddress = await findAddresses(store, [message.userId])
      await send(await getTarget(db, targetId), message, {
        delivery: await carrier.load(message.channel),
        findAddress,
      })
    } finally {
      await write(db, 'nothing', (trx) => releaseTarget(trx, { id: targetId, lease, earliest: now() }))
    }
  }
}

/** All mail goes through one server. */
function toHost(channel: ChannelName, address: Secret) {
  return channel === 'email' ? 'smtp' : (URL.parse(address.reveal())?.host ?? '')
}

async function noteSuccess(trx: Db, target: Target, { host, isTest }: { host: string; isTest: boolean }) {
  await noteHostAnswer(trx, host)
  if (isTest) await switchOn(trx, target)
  else if (target.failingSince !== null) await setFailingSince(trx, target.id, null)
  target.failingSince = null
}

async function noteFailure(
  trx: Db,
  target: Target,
  { outcome, host, now, isTest, findAddress }: AttemptFacts & { now: UnixSeconds; isTest: boolean },
) {
  const { result, httpStatus } = outcome
  // The host responded, and the failure concerns only this message or target.
  const isAnswer = result !== 'retry' || (httpStatus !== null && httpStatus < 500)
  if (isAnswer) await noteHostAnswer(trx, host)
  else await noteHostFailure(trx, host, { now, toPause: pauseOfHost })
  // A message that cannot be delivered is no failure of its target, and neither is a test of an address being set up.
  if (result === 'refused' || isTest) return
  const since = target.failingSince ?? now
  await setFailingSince(trx, target.id, since)
  target.failingSince = since
  const reason = 'reason' in outcome ? outcome.reason : 'it failed'
  if (result === 'gone') await endTarget(trx, target, { reason, now, findAddress })
  else if (now - since >= patienceSeconds) {
    await endTarget(trx, target, {
      reason: `nothing but failures for five days, the last: ${reason}`,
      now,
      findAddress,
    })
  }
}

/** Disables a target: drops its waiting messages, and notifies its owner through other channels. */
async function endTarget(
  trx: Db,
  target: Target,
  { reason, now, findAddress }: { reason: string; now: UnixSeconds; findAddress: FindAddress },
) {
  if (target.offAt !== null) return
  await switchOff(trx, target.id, { at: now, reason })
  target.offAt = now
  await endWaiting(trx, target.id, { status: 'dead', error: switchedOff(now, reason), now })
  const set = await findSetUp(trx)
  const [other] = (await listOtherPlaces(trx, target)).filter(({ channel }) => set.has(channel))
  if (!other) return
  const place = await ensureTarget(trx, other)
  const eventId = await recordEvent(trx, {
    type: 'target.disabled',
    at: now,
    data: { channel: target.channel, subscriptionId: target.subscriptionId, reasons: [reason] },
  })
  await insertDeliveries(trx, [
    {
      userId: target.userId,
      createdAt: now,
      kind: 'target',
      channel: other.channel,
      targetId: place.id,
      target: findAddress(other),
      eventIds: [eventId],
      status: 'pending',
      notBefore: now,
      error: null,
    },
  ])
  await wakeTarget(trx, place.id, now)
}
