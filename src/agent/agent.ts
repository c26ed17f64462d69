import { randomUUID } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { exitCodeFor } from '../errors.ts'
import { listJobs } from '../store/fleet/agent-job.ts'
import {
  endOccurrence,
  listOpen,
  type Occurrence,
  type OccurrenceEnd,
  releaseOccurrence,
  renewLease,
} from '../store/fleet/agent-occurrence.ts'
import type { UnixSeconds } from '../util/time.ts'
import { type Clock, within } from './clock.ts'
import { maxAheadSeconds } from './decide.ts'
import { describeError } from './describe-error.ts'
import { claimWaiting, evaluate, leaseSeconds, nextStart, registerConfig } from './occurrences.ts'
import type { ScheduledJob } from './read-config.ts'

export interface AgentOptions {
  db: Db
  clock: Clock
  /** Runs one occurrence. Throws its failure; an abort means that the agent stops. */
  perform: (job: ScheduledJob, occurrence: Occurrence, signal: AbortSignal) => Promise<OccurrenceEnd>
  onStart: (job: ScheduledJob, occurrence: Occurrence) => void
  onEnd: (job: ScheduledJob, occurrence: Occurrence, end: OccurrenceEnd) => void
  /** Called for failures that are retried later, such as a locked store. */
  onError: (error: unknown) => void
}

/**
 * Polling interval: another process can add an occurrence at any time, by `relt agent trigger` or as a second agent that
 * dies.
 */
const lookMs = 2000
const maxRunning = 4
/** A scanner that ignores SIGTERM is killed after 5 s. */
const abortMs = 6000
const renewMs = (leaseSeconds * 1000) / 4

/** Evaluates schedules and runs due occurrences. Its state is in the store, so that any agent on the store can continue. */
export class Agent {
  readonly #options: AgentOptions
  readonly #owner = randomUUID()
  readonly #running = new Map<number, { controller: AbortController; done: Promise<void> }>()
  readonly #stopping = new AbortController()
  #jobs = new Map<string, ScheduledJob>()
  #watermarks = new Map<string, UnixSeconds>()
  #nextStarts = new Map<string, UnixSeconds | undefined>()
  #isReleasing = false

  constructor(options: AgentOptions) {
    this.#options = options
  }

  /** Time of the last completed turn of the loop; undefined before the first. */
  lastTurnAt: UnixSeconds | undefined

  get running() {
    return this.#running.size
  }

  /** Applies the jobs of a configuration; running occurrences continue. */
  async configure(jobs: ScheduledJob[]) {
    const { db, clock } = this.#options
    await registerConfig(db, jobs, clock.now())
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
    this.#nextStarts.clear()
    this.#remember(await listJobs(db))
  }

  /** One turn: evaluates due jobs, and starts waiting occurrences. Returns the milliseconds until the next turn. */
  async turn() {
    const { db, clock } = this.#options
    const now = clock.now()
    const due = [...this.#jobs.values()].filter(({ name }) => this.#isDue(name, now))
    if (due.length > 0) this.#remember(await evaluate(db, due, now))
    if (await this.hasWaiting()) {
      const limit = maxRunning - this.#running.size
      for (const occurrence of await claimWaiting(db, { jobs: this.#jobs, owner: this.#owner, limit }, now)) {
        this.#start(this.#jobs.get(occurrence.job)!, occurrence)
      }
    }
    this.lastTurnAt = now
    const next = Math.min(...[...this.#nextStarts.values()].map((at) => at ?? Number.POSITIVE_INFINITY))
    return Math.max(0, Math.min(lookMs, (next - clock.now()) * 1000))
  }

  /** Runs until `stop` is called. A turn that fails, for example on a locked store or full disk, is retried. */
  async loop() {
    const { signal } = this.#stopping
    const { clock, onError } = this.#options
    while (!signal.aborted) {
      let pause = lookMs
      try {
        pause = await this.turn()
      } catch (error) {
        onError(error)
      }
      await clock.sleep(pause, signal)
    }
  }

  /** Whether an occurrence waits that this agent can start. */
  async hasWaiting() {
    const now = this.#options.clock.now()
    return (await listOpen(this.#options.db)).some((occurrence) => this.#concerns(occurrence, now))
  }

  /** Waits for all running occurrences. */
  async settled() {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /**
   * Starts nothing more. An occurrence that still runs after the grace period, or at the signal, is aborted and waits in the
   * store for the next agent. So does one that does not end within `abortMs` after that, such as an upload to a slow server.
   */
  async stop(graceMs: number, hurry?: AbortSignal) {
    this.#stopping.abort()
    await within(graceMs, this.settled(), hurry)
    this.#isReleasing = true
    for (const { controller } of this.#running.values()) controller.abort()
    await within(abortMs, this.settled())
    for (const id of this.#running.keys()) await releaseOccurrence(this.#options.db, { id, owner: this.#owner })
  }

  #remember(stored: { name: string; watermark: UnixSeconds }[]) {
    for (const { name, watermark } of stored) {
      const job = this.#jobs.get(name)
      if (!job) continue
      this.#watermarks.set(name, watermark)
      this.#nextStarts.set(name, nextStart(job, watermark))
    }
  }

  #isDue(name: string, now: UnixSeconds) {
    const isAhead = (this.#watermarks.get(name) ?? now) > now + maxAheadSeconds
    return isAhead || (this.#nextStarts.get(name) ?? Number.POSITIVE_INFINITY) <= now
  }

  #concerns({ id, job, state, lease_until }: Occurrence, now: UnixSeconds) {
    if (!this.#jobs.has(job)) return false
    if (state === 'pending') return this.#running.size < maxRunning
    return !this.#running.has(id) && (lease_until ?? 0) < now
  }

  #start(job: ScheduledJob, occurrence: Occurrence) {
    const controller = new AbortController()
    const done = this.#run(job, occurrence, controller).finally(() => this.#running.delete(occurrence.id))
    this.#running.set(occurrence.id, { controller, done })
  }

  async #run(job: ScheduledJob, occurrence: Occurrence, controller: AbortController) {
    const { db, clock, perform, onStart, onEnd, onError } = this.#options
    const { id } = occurrence
    const lease = () => ({ owner: this.#owner, until: clock.now() + leaseSeconds })
    const renewal = setInterval(() => {
      renewLease(db, id, lease()).then((isOurs) => isOurs || controller.abort(), onError)
    }, renewMs)
    try {
      onStart(job, occurrence)
      const end = await perform(job, occurrence, controller.signal).catch(toFailure)
      if (controller.signal.aborted && this.#isReleasing && end.state === 'failed') {
        await releaseOccurrence(db, { id, owner: this.#owner })
      } else {
        await endOccurrence(db, { id, owner: this.#owner }, end, clock.now())
        onEnd(job, occurrence, end)
      }
    } catch (error) {
      // The store did not record the end: the lease expires, and the occurrence waits again.
      onError(error)
    } finally {
      clearInterval(renewal)
    }
  }
}

const toFailure = (error: unknown): OccurrenceEnd => ({
  state: 'failed',
  exit_code: exitCodeFor(error),
  detail: describeError(error),
})
