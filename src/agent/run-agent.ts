import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import { findMeta, setMeta } from '../db/meta.ts'
import type { Db } from '../db/open.ts'
import { holdPresence } from '../db/presence.ts'
import { ReltError } from '../errors.ts'
import { openService } from '../service/service.ts'
import type { Occurrence, OccurrenceEnd } from '../store/fleet/agent-occurrence.ts'
import type { FlushContext } from '../submit/flush.ts'
import type { Logger } from '../util/log.ts'
import { isMissingModule } from '../util/missing-module.ts'
import { releaseMemory } from '../util/release-memory.ts'
import { Agent } from './agent.ts'
import { agentMetrics } from './agent-metrics.ts'
import { aliveSeconds, answerProbe } from './alive.ts'
import type { Clock } from './clock.ts'
import { type HealthServer, serveHealth } from './health.ts'
import { logOnce } from './log-once.ts'
import type { Connect, PerformContext } from './perform.ts'
import { type ReadConfig, readAgentConfig, type ScheduledJob } from './read-config.ts'
import { cannotStart, sourceFor } from './sources/index.ts'
import type { WatchedSource, WatchWork } from './sources/source.ts'
import { Uploads } from './uploads.ts'

export interface AgentProcess {
  env: Env
  clock: Clock
  connect: Connect
  /** Whether a job's server is the local store. */
  isLocal: (server: string | undefined) => Promise<boolean>
  /** A client of the server with this URL. */
  connectTo: FlushContext['connect']
  logger: Logger
  /** Path of `agent.yaml`. */
  file: string
  /** Run due and waiting occurrences once, then return. */
  once: boolean
  /** Stops the agent: running occurrences may finish within `graceMs`. */
  signal: AbortSignal
  /** Stops it immediately: running occurrences wait for the next agent. */
  hurry?: AbortSignal
  /** Called with a function that reads the configuration again, even if the file's time is unchanged. */
  onReady?: (reload: () => Promise<void>) => void
}

export interface AgentResult {
  done: number
  failed: number
}

/** Service managers kill after 30 s or more. After this time, a scanner gets another 5 s to end. */
const graceMs = 15_000
/** Interval for checking the configuration file. */
const lookMs = 2000
const serverHeartbeatMs = 300_000
/** Memory is released when the agent was idle for this long, and at most this often. */
const idleSeconds = 10
const releaseSeconds = 60

export const presenceFile = (env: Env) => join(dataFolder(env), 'agent', 'presence.db')

/** Opens the store for the agent's tables only. */
export const openAgentStore = async ({ env, now }: { env: Env; now: () => number }) =>
  (await openService({ env, now })).db

/**
 * Seed for `H` and `every`, and name of the machine in uploads. It stays the same after the first start, since a container
 * gets a new host name at each restart.
 */
export async function machineFor(db: Db) {
  return (await findMeta(db, 'agent_machine')) ?? hostname()
}

/** Runs the jobs of a configuration until the signal, or once. Throws `usage` for an invalid configuration. */
export async function runAgent(options: AgentProcess): Promise<AgentResult> {
  const { env, clock, file } = options
  const db = await openAgentStore({ env, now: clock.now })
  try {
    const machine = await machineFor(db)
    const config = readAgentConfig(file, { machine })
    await setMeta(db, 'agent_machine', machine)
    const presence = holdPresence(presenceFile(env))
    try {
      const replaced = new AbortController()
      const signal = AbortSignal.any([options.signal, replaced.signal])
      const hurry = AbortSignal.any([replaced.signal, ...(options.hurry ? [options.hurry] : [])])
      return await new AgentRun({ ...options, signal, hurry }, { db, machine, config, replaced }).run()
    } finally {
      presence.release()
    }
  } finally {
    await db.destroy()
  }
}

interface Opened {
  db: Db
  machine: string
  config: ReadConfig
  /** Aborted when the program was replaced on disk. */
  replaced: AbortController
}

/** One run of the agent: its schedules and folders, until it is stopped. */
class AgentRun {
  readonly #options: AgentProcess
  readonly #db: Db
  readonly #machine: string
  readonly #agent: Agent
  readonly #result: AgentResult = { done: 0, failed: 0 }
  readonly #uploads: Uploads
  readonly #startedAt: number
  readonly #replaced: AbortController
  #config: ReadConfig
  /** Why the last read of the file failed. */
  #configProblem: string | undefined
  #health: HealthServer | undefined
  #reloading: Promise<void> = Promise.resolve()
  #watches: { stop: () => void; ended: Promise<unknown> } | undefined
  /** End of the agent's last work; undefined once it has released its memory. */
  #busyUntil: number | undefined
  #releasedAt = Number.NEGATIVE_INFINITY

  constructor(options: AgentProcess, { db, machine, config, replaced }: Opened) {
    this.#options = options
    this.#db = db
    this.#machine = machine
    this.#config = config
    this.#replaced = replaced
    const { clock, logger, env, connectTo } = options
    this.#uploads = new Uploads({ env, clock, logger, connectTo, onSent: () => this.#noteWork() })
    this.#uploads.setBounds(config.spool)
    this.#startedAt = clock.now()
    this.#noteWork()
    this.#agent = new Agent({
      db,
      clock,
      onStart: (job, { due_at, attempts }) => logger.info({ job: job.name, due_at, attempts }, 'job started'),
      onEnd: (job, { due_at }, end) => this.#ended(job, { due_at }, end),
      onError: logOnce(clock, (reason) => logger.error({ reason }, 'the agent could not continue and retries')),
      perform: (...work) => this.#perform(...work),
    })
  }

  async run(): Promise<AgentResult> {
    const { logger, once, signal, onReady } = this.#options
    const { file, jobs } = this.#config
    if (!once) await this.#setHealthPort(this.#config)
    try {
      await this.#agent.configure(jobs)
      logger.info({ jobs: jobs.length, file }, 'agent started')
      onReady?.(() => this.#reloadInTurn())
      await (once || signal.aborted ? this.#once() : this.#on())
      logger.info(this.#result, 'agent stopped')
      if (this.#replaced.signal.aborted) {
        throw new ReltError('internal', 'relt was replaced while the agent ran.', {
          hint: 'Start the agent again. A service does so by itself.',
        })
      }
      return this.#result
    } finally {
      await this.#health?.stop()
    }
  }

  async #perform(job: ScheduledJob, occurrence: Occurrence, signal: AbortSignal) {
    try {
      const { source, from } = sourceFor(job)
      if (source.kind !== 'scheduled') throw cannotStart(job)
      return await source.run(this.#context(job), { job, from, occurrence, signal })
    } catch (error) {
      // After an update, the occurrence waits for the next agent, which has all its modules.
      if (this.#isReplaced(error) && !signal.aborted) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      }
      throw error
    }
  }

  /** Stops the agent if a module not loaded yet no longer exists, as after an update. */
  #isReplaced(error: unknown): boolean {
    const isReplaced = isMissingModule(error)
    if (isReplaced) this.#replaced.abort()
    return isReplaced
  }

  async #once() {
    const { signal, hurry } = this.#options
    const stop = () => void this.#agent.stop(graceMs, hurry)
    signal.addEventListener('abort', stop)
    await this.#reportToServers()
    const watches = this.#watchAll(signal)
    // A waiting occurrence starts when a running one ends.
    do {
      await this.#agent.turn()
      await this.#agent.settled()
    } while (!signal.aborted && (await this.#agent.hasWaiting()))
    await Promise.all(watches)
    await this.#uploads.send(signal)
    signal.removeEventListener('abort', stop)
  }

  async #on() {
    const { clock, signal, hurry, env } = this.#options
    const { file } = this.#config
    const loops = [this.#agent.loop(), this.#uploads.loop(signal)]
    // Not awaited at the end: an unresponsive server would block the agent.
    void this.#heartbeatLoop()
    this.#startWatches()
    let known = toChange(file)
    while (!signal.aborted) {
      if (this.#isAlive()) answerProbe(env)
      await clock.sleep(lookMs, signal)
      this.#releaseWhenIdle()
      const change = toChange(file)
      if (change === known) continue
      known = change
      await this.#reloadInTurn()
    }
    this.#watches?.stop()
    await Promise.all([this.#agent.stop(graceMs, hurry), this.#watches?.ended])
    await Promise.all(loops)
  }

  async #heartbeatLoop() {
    const { clock, signal } = this.#options
    while (!signal.aborted) {
      await this.#reportToServers()
      await clock.sleep(serverHeartbeatMs, signal)
    }
  }

  /** Does not throw: jobs run whether or not a server knows of the agent. */
  async #reportToServers() {
    const { logger, clock, connect, isLocal, env, signal } = this.#options
    const countWaiting = () => this.#uploads.waiting().waiting
    try {
      const jobs: ScheduledJob[] = []
      for (const [server, ofServer] of Map.groupBy(this.#config.jobs, ({ server }) => server)) {
        if (!(await isLocal(server))) jobs.push(...ofServer)
      }
      if (jobs.length === 0) return
      const { sendServerHeartbeats } = await import('./server-heartbeat.ts')
      const options = { db: this.#db, connect, env, now: clock.now, countWaiting }
      for (const { url, error } of await sendServerHeartbeats(options, jobs)) {
        logger.warn({ server: url, reason: error.message }, 'the heartbeat to the server failed')
      }
    } catch (error) {
      if (!signal.aborted) logger.warn({ reason: (error as Error).message }, 'heartbeats to servers failed')
    }
  }

  /** Throws `usage` if the port is taken; the previous one then stays. */
  async #setHealthPort({ health_port: port, health_host: host = '127.0.0.1' }: ReadConfig) {
    if (port === this.#health?.port && (port === undefined || host === this.#health?.host)) return
    // The same port on another address is taken until the previous one is closed.
    if (port !== undefined && port === this.#health?.port) await this.#health.stop()
    const former = this.#health
    const { clock } = this.#options
    this.#health =
      port === undefined
        ? undefined
        : await serveHealth(
            { port, host },
            {
              isAlive: () => this.#isAlive(),
              problems: () => this.#reasons(),
              metrics: () =>
                agentMetrics(this.#db, {
                  uploads: this.#uploads.waiting(),
                  running: this.#agent.running,
                  now: clock.now(),
                }),
            },
          )
    await former?.stop()
  }

  #isAlive() {
    return this.#options.clock.now() - (this.#agent.lastTurnAt ?? this.#startedAt) < aliveSeconds
  }

  /** Why the agent is not ready. */
  #reasons() {
    return [...(this.#configProblem === undefined ? [] : [this.#configProblem]), ...this.#uploads.problems()]
  }

  #noteWork() {
    this.#busyUntil = this.#options.clock.now()
  }

  #releaseWhenIdle(): void {
    const now = this.#options.clock.now()
    if (this.#busyUntil === undefined || this.#agent.running > 0) return
    if (now < this.#busyUntil + idleSeconds || now < this.#releasedAt + releaseSeconds) return
    this.#busyUntil = undefined
    this.#releasedAt = now
    releaseMemory('last-resort')
  }

  #startWatches(): void {
    const stopping = new AbortController()
    const ended = Promise.all(this.#watchAll(stopping.signal))
    this.#watches = { stop: () => stopping.abort(), ended }
  }

  #watchAll(signal: AbortSignal) {
    return this.#config.jobs.flatMap((job) => {
      const { source, from } = sourceFor(job)
      return source.kind === 'watched' ? [this.#watch(source, { job, from, signal, once: this.#options.once })] : []
    })
  }

  #watch(source: WatchedSource<unknown>, work: WatchWork<unknown> & { job: ScheduledJob }) {
    const { job } = work
    const { clock, logger } = this.#options
    const report = logOnce(clock, (reason) =>
      logger.error({ job: job.name, reason }, 'no report was taken; it is retried'),
    )
    const context = {
      ...this.#context(job),
      db: this.#db,
      clock,
      onFile: (file: string, end: OccurrenceEnd) => this.#ended(job, { file }, end),
      onError: (error: Error) => {
        if (this.#isReplaced(error)) return
        // Later turns retry; a single run ends without a verdict.
        if (work.once) this.#result.failed++
        report(error)
      },
    }
    return source.run(context, work)
  }

  #context(job: ScheduledJob): PerformContext {
    const { env, clock, logger } = this.#options
    const connect: Connect = async (name) => {
      const connection = await this.#options.connect(name)
      return { ...connection, spool: connection.spool && this.#uploads.spool }
    }
    const onWarning = (text: string) => logger.warn({ job: job.name }, text)
    return { connect, env, now: clock.now, machine: this.#machine, onWarning }
  }

  #ended(job: ScheduledJob, what: { due_at?: number; file?: string }, end: OccurrenceEnd): void {
    this.#noteWork()
    const isFailed = end.state === 'failed'
    this.#result[isFailed ? 'failed' : 'done']++
    this.#options.logger[isFailed ? 'error' : 'info']({ job: job.name, ...what, ...end }, `job ${end.state}`)
  }

  /** A signal and a changed file may come at the same time. */
  #reloadInTurn() {
    this.#reloading = this.#reloading.then(() => this.#reload())
    return this.#reloading
  }

  /** With an invalid configuration, the agent keeps the current one. */
  async #reload() {
    const { logger } = this.#options
    const { file } = this.#config
    try {
      const read = readAgentConfig(file, { machine: this.#machine })
      await this.#setHealthPort(read)
      await this.#agent.configure(read.jobs)
      this.#config = read
      this.#uploads.setBounds(read.spool)
      this.#configProblem = undefined
      this.#watches?.stop()
      await this.#watches?.ended
      this.#startWatches()
      logger.info({ jobs: read.jobs.length, file }, 'configuration read again')
    } catch (error) {
      const { message, params } = error as ReltError
      this.#configProblem = `Configuration: ${message}`
      logger.error(
        { file, reason: message, problems: params },
        'the configuration cannot be used; the former one stays',
      )
    }
  }
}

function toChange(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : ''
}
