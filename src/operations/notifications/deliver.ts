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
export class OutboxSender {
  readonly #store: NotificationStore
  readonly #options: Required<Omit<OutboxSenderOptions, 'onError'>> & Pick<OutboxSenderOptions, 'onError'>
  readonly #abort = new AbortController()
  readonly #busy = new Set<Promise<void>>()
  readonly counts: SentCounts = { sent: 0, failed: 0, skipped: 0 }

  constructor(store: NotificationStore, options: OutboxSenderOptions) {
    this.#store = store
    this.#options = { concurrency: 8, leaseSeconds: 60, random: Math.random, ...options }
  }

  /** Sends until no message is due. */
  async drain(): Promise<SentCounts> {
    while ((await this.#claim()) || this.#busy.size > 0) await Promise.race(this.#busy)
    return this.counts
  }

  /** Sends messages as they become due; `beforeLook` may queue more. Returns after `stop`. */
  async run(beforeLook: () => Promise<void>) {
    while (!this.#abort.signal.aborted) {
      try {
        await beforeLook()
        if (await this.#claim()) continue
      } catch (error) {
        this.#options.onError?.(error)
      }
      await sleep(idleMs, undefined, { signal: this.#abort.signal }).catch(() => undefined)
    }
    await Promise.all(this.#busy)
  }

  /** Stops taking messages, and waits for those in flight. */
  async stop() {
    this.#abort.abort()
    await Promise.all(this.#busy)
  }

  /** Leases waiting targets and starts sending; false if there are none, or no capacity. */
  async #claim(): Promise<boolean> {
    const { carrier, now, concurrency, leaseSeconds } = this.#options
    const { db } = this.#store
    const { channels } = carrier
    const free = concurrency - this.#busy.size
    if (free <= 0 || channels.length === 0) return false
    if (!(await hasDueTarget(db, { channels, now: now() }))) return false
    const lease = randomBytes(9).toString('hex')
    const targets = await write(db, 'nothing', (trx) =>
      claimTargets(trx, { channels, now: now(), leaseSeconds, lease, limit: free }),
    )
    for (const target of targets) this.#start(this.#serve(target, lease))
    return targets.length > 0
  }

  #start(work: Promise<void>): void {
    const running = work
      .catch((error: unknown) => this.#options.onError?.(error))
      .finally(() => this.#busy.delete(running))
    this.#busy.add(running)
  }

  /** Sends the due messages of a leased target. */
  async #serve(target: Target, lease: string) {
    const { db } = this.#store
    const { now, leaseSeconds, carrier } = this.#options
    const begun = now()
    const messages = await write(db, 'nothing', (trx) =>
      takeMessages(trx, { targetId: target.id, now: begun, limit: messagesAtOnce }),
    )
    const delivery = await carrier.load(target.channel)
    let earliest = begun
    try {
      const findAddress = await findAddresses(this.#store, [target.userId])
      for (const [index, message] of messages.entries()) {
        if (this.#abort.signal.aborted || now() - begun > leaseSeconds / 2) break
        if (index > 0 && delivery.secondsBetween > 0) await sleep(delivery.secondsBetween * 1000)
        const sent = await this.#send(target, message, { delivery, findAddress })
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

  async #send(
    target: Target,
    outbox: OutboxMessage,
    { delivery, findAddress }: { delivery: Delivery; findAddress: FindAddress },
  ): Promise<{ pausedUntil: UnixSeconds }> {
    const { now } = this.#options
    const address = findAddress(target)
    if (!address) return this.#skip(outbox, 'the address was removed')
    const host = toHost(target.channel, address)
    const { openUntil } = await findOpenUntil(this.#store.db, host)
    // A test is sent even while the host is failing, to report the current error.
    if (openUntil > now() && outbox.kind !== 'test') return { pausedUntil: openUntil }
    const attempt = await this.#attempt(target, outbox, { delivery, address })
    if ('skip' in attempt) return this.#skip(outbox, attempt.skip)
    await this.#save(target, outbox, { outcome: attempt.outcome, host, findAddress })
    return { pausedUntil: 0 }
  }

  /** Failures of the store are not the receiver's: they are thrown, and the message stays due. */
  async #attempt(
    target: Target,
    outbox: OutboxMessage,
    { delivery, address }: { delivery: Delivery; address: Secret },
  ): Promise<{ outcome: Outcome } | { skip: string }> {
    const { carrier, now } = this.#options
    const loaded = await loadMessage(this.#store, outbox, { now: now(), toLinks: carrier.toLinks })
    if ('skip' in loaded) return loaded
    const tools = await carrier.toolsFor(target, neverAborted)
    try {
      return { outcome: await delivery.send(loaded.message, address, tools) }
    } catch (error) {
      this.#options.onError?.(error)
      return {
        outcome: { result: 'retry', reason: 'relt failed to send it', httpStatus: null, retryAfterSeconds: null },
      }
    }
  }

  async #skip(outbox: OutboxMessage, error: string) {
    const result: AttemptResult = { status: 'skipped', httpStatus: null, error, notBefore: null, isAttempt: false }
    await write(this.#store.db, 'nothing', (trx) => saveAttempt(trx, outbox.id, result, this.#options.now()))
    this.counts.skipped++
    return { pausedUntil: 0 }
  }

  async #save(target: Target, outbox: OutboxMessage, { outcome, host, findAddress }: AttemptFacts) {
    const { now: clock, random } = this.#options
    const now = clock()
    const { result, httpStatus } = outcome
    const isDone = result === 'delivered' || result === 'accepted'
    if (isDone) this.counts.sent++
    else this.counts.failed++
    const changed = await write(this.#store.db, 'nothing', async (trx) => {
      const current = { ...target }
      const notBefore =
        result === 'retry' && outbox.kind !== 'test'
          ? (nextAttempt({
              attempts: outbox.attempts + 1,
              now,
              retryAfterSeconds: outcome.retryAfterSeconds,
              random: random(),
            }) ?? null)
          : null
      const status = isDone ? result : notBefore === null ? 'dead' : 'failed'
      const error = 'reason' in outcome ? outcome.reason : null
      await saveAttempt(trx, outbox.id, { status, httpStatus, error, notBefore, isAttempt: true }, now)
      if (isDone) await noteSuccess(trx, current, { host, isTest: outbox.kind === 'test' })
      else await noteFailure(trx, current, { outcome, host, now, isTest: outbox.kind === 'test', findAddress })
      return current
    })
    Object.assign(target, changed)
  }

  /**
   * Sends one message immediately, ahead of others for its target, and returns it after the attempt. Throws `busy` if
   * another sender holds the target for long.
   */
  async sendNow(id: number, targetId: number) {
    const { db } = this.#store
    const { now, leaseSeconds, carrier } = this.#options
    const lease = randomBytes(9).toString('hex')
    for (let tries = 0; !(await claimTarget(db, { id: targetId, lease, now: now(), leaseSeconds })); tries++) {
      if (tries >= 150) throw new ReltError('busy', 'Another message is on its way to this address.')
      await sleep(100)
    }
    try {
      const message = await getMessage(db, id)
      const findAddress = await findAddresses(this.#store, [message.userId])
      await this.#send(await getTarget(db, targetId), message, {
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
): Promise<void> {
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
