import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import type { Db } from '../db/open.ts'
import { holdPresence } from '../db/presence.ts'
import type { ReltError } from '../errors.ts'
import { openService } from '../service/service.ts'
import { readBounds } from '../spool/bounds.ts'
import type { SendResult } from '../spool/send.ts'
import { Spool } from '../spool/spool.ts'
import type { OccurrenceEnd } from '../store/agent-occurrence.ts'
import { findMeta, setMeta } from '../store/meta.ts'
import type { FlushContext } from '../submit/flush.ts'
import { formatDuration } from '../util/duration.ts'
import type { Logger } from '../util/log.ts'
import { Agent, type Clock } from './agent.ts'
import { agentMetrics, type WaitingUploads } from './agent-metrics.ts'
import { type HealthServer, serveHealth } from './health.ts'
import { JobHeartbeats } from './job-heartbeat.ts'
import { Problems } from './problems.ts'
import { type ReadConfig, readAgentConfig, type ScheduledJob } from './read-config.ts'
import { runCollect } from './run-collect.ts'
import { type Connect, type PerformContext, runScan } from './run-scan.ts'
import { runWatch } from './run-watch.ts'
import { Sender } from './sender.ts'
import { sendServerHeartbeats } from './server-heartbeat.ts'

export interface AgentProcess {
  env: Env
  clock: Clock
  connect: Connect
  /** A client of the server at this address. */
  connectTo: FlushContext['connect']
  logger: Logger
  /** Path of `agent.yaml`. */
  file: string
  /** Run what is due and waits now, and return. */
  once: boolean
  /** Ends the agent: what runs may finish, within `graceMs`. */
  signal: AbortSignal
  /** Ends it at once: what runs waits for the next agent. */
  hurry?: AbortSignal
  /** Called with a function that reads the configuration again, whatever its file's time. */
  onReady?: (reload: () => Promise<void>) => void
}

export interface AgentResult {
  done: number
  failed: number
}

/** Service managers kill after 30 s or later. After this time a scanner gets 5 s more to end. */
const graceMs = 15_000
/** For the last heartbeats of jobs. */
const lastHeartbeatsMs = 2000
/** Between two looks at the file with the jobs. */
const lookMs = 2000
const sendMs = 5000
/** An upload under way may take so long after the signal. */
const sendGraceMs = 10_000
const serverHeartbeatMs = 300_000
/** The loop turns every two seconds. */
const aliveSeconds = 60
/** The longest pause between two attempts to send. */
const sendingSeconds = 900

export const presenceFile = (env: Env): string => join(dataFolder(env), 'agent', 'presence.db')

/** Opens the store for the agent's tables alone. */
export const openAgentStore = async ({ env, now }: { env: Env; now: () => number }): Promise<Db> =>
  (await openService({ env, now })).db

/**
 * Name by which `H` and `every` are spread, and by which uploads are identified. It stays as it was at the first start, since
 * a container has another host name after each restart.
 */
export async function machineOf(db: Db): Promise<string> {
  return (await findMeta(db, 'agent_machine')) ?? hostname()
}

/** Runs the jobs of a configuration until the signal, or once. Throws `usage` for a configuration that cannot be used. */
export async function runAgent(options: AgentProcess): Promise<AgentResult> {
  const { env, clock, file } = options
  const db = await openAgentStore({ env, now: clock.now })
  try {
    const machine = await machineOf(db)
    const config = readAgentConfig(file, { machine })
    await setMeta(db, 'agent_machine', machine)
    const presence = holdPresence(presenceFile(env))
    try {
      return await new AgentRun(options, { db, machine, config }).run()
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
}

/** One start of the agent: its schedules and its folders, until it is stopped. */
class AgentRun {
  readonly #options: AgentProcess
  readonly #db: Db
  readonly #machine: string
  readonly #agent: Agent
  readonly #result: AgentResult = { done: 0, failed: 0 }
  readonly #spool: Spool
  readonly #problems = new Problems()
  readonly #sender: Sender
  readonly #heartbeats: JobHeartbeats
  readonly #startedAt: number
  #config: ReadConfig
  #health: HealthServer | undefined
  #reloading: Promise<void> = Promise.resolve()
  #watches: { stop: () => void; ended: Promise<unknown> } | undefined

  constructor(options: AgentProcess, { db, machine, config }: Opened) {
    this.#options = options
    this.#db = db
    this.#machine = machine
    this.#config = config
    const { clock, logger, env, connectTo } = options
    this.#spool = new Spool(env, (text) => logger.warn(text))
    this.#setBounds(config)
    this.#startedAt = clock.now()
    this.#heartbeats = new JobHeartbeats({
      env,
      onFailure: (job, reason) => logger.warn({ job, reason }, 'heartbeat not delivered'),
    })
    this.#sender = new Sender({
      spool: this.#spool,
      connect: connectTo,
      now: clock.now,
      random: Math.random,
      onResult: (sent) => this.#sent(sent),
    })
    this.#agent = new Agent({
      db,
      clock,
      onStart: (job, { due_at, attempts }) => {
        logger.info({ job: job.name, due_at, attempts }, 'job started')
        const address = this.#heartbeatOf(job)
        if (address !== undefined) this.#heartbeats.started(job.name, address)
      },
      onEnd: (job, { due_at }, end) => this.#ended(job, { due_at }, end),
      onError: logOnce(clock, (reason) => logger.error({ reason }, 'the agent could not continue and retries')),
      perform: (job, occurrence, signal) =>
        (job.collect ? runCollect : runScan)(this.#context(job), job, occurrence, signal),
    })
  }

  async run(): Promise<AgentResult> {
    const { logger, once, signal, onReady } = this.#options
    const { file, jobs, health_port: port } = this.#config
    if (!once) await this.#setHealthPort(port)
    try {
      await this.#agent.configure(jobs)
      logger.info({ jobs: jobs.length, file }, 'agent started')
      onReady?.(() => this.#reloadInTurn())
      await (once || signal.aborted ? this.#once() : this.#on())
      await this.#heartbeats.settled(lastHeartbeatsMs)
      logger.info(this.#result, 'agent stopped')
      return this.#result
    } finally {
      await this.#health?.stop()
    }
  }

  async #once(): Promise<void> {
    const { signal, hurry } = this.#options
    const stop = () => void this.#agent.stop(graceMs, hurry)
    signal.addEventListener('abort', stop)
    await this.#reportToServers()
    const watches = this.#config.jobs.filter(({ watch }) => watch).map((job) => this.#watch(job, signal))
    // A waiting occurrence starts when a running one ends.
    do {
      await this.#agent.turn()
      await this.#agent.settled()
    } while (!signal.aborted && (await this.#agent.hasWaiting()))
    await Promise.all(watches)
    await this.#send()
    signal.removeEventListener('abort', stop)
  }

  async #on(): Promise<void> {
    const { clock, signal, hurry } = this.#options
    const { file } = this.#config
    const loops = [this.#agent.loop(), this.#sendLoop()]
    // Not waited for at the end: a server that does not answer would hold the agent.
    void this.#heartbeatLoop()
    this.#startWatches()
    let known = changeOf(file)
    while (!signal.aborted) {
      await clock.sleep(lookMs, signal)
      const change = changeOf(file)
      if (change === known) continue
      known = change
      await this.#reloadInTurn()
    }
    this.#watches?.stop()
    await Promise.all([this.#agent.stop(graceMs, hurry), this.#watches?.ended])
    await Promise.all(loops)
  }

  async #sendLoop(): Promise<void> {
    const { clock, logger, signal } = this.#options
    const report = logOnce(clock, (reason) => logger.error({ reason }, 'nothing was sent; it is retried'))
    while (!signal.aborted) {
      await this.#send().catch(report)
      this.#noteSpool()
      await clock.sleep(sendMs, signal)
    }
  }

  /** An upload under way may finish for a while after the signal. Without it, the upload is sent by the next agent. */
  async #send(): Promise<void> {
    const { signal } = this.#options
    const abandon = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const onStop = () => {
      timer = setTimeout(() => abandon.abort(), sendGraceMs)
    }
    if (signal.aborted) onStop()
    signal.addEventListener('abort', onStop)
    try {
      await this.#sender.turn({ signal, abandon: abandon.signal })
    } finally {
      signal.removeEventListener('abort', onStop)
      clearTimeout(timer)
    }
  }

  /** Reports that wait outside a spool that cannot be written, as on a full disk, make the agent unhealthy. */
  #noteSpool(): void {
    const known = this.#problems.find('spool')
    if (known === undefined && this.#spool.lastFailure === undefined) return
    const problem = this.#spool.findProblem()
    if (problem !== undefined && known === undefined)
      this.#options.logger.error({ reason: problem }, 'spool not usable')
    if (problem === undefined && known !== undefined) this.#options.logger.info('spool usable again')
    this.#problems.set('spool', problem)
    if (problem === undefined) this.#spool.lastFailure = undefined
  }

  #setBounds({ spool }: ReadConfig): void {
    const { env } = this.#options
    const bounds = readBounds(env)
    this.#spool.setBounds({
      ...bounds,
      ...(spool?.max_size_mb !== undefined && { bytes: spool.max_size_mb * 1024 * 1024 }),
      ...(spool?.max_age !== undefined && { maxAge: spool.max_age }),
      ...(spool?.when_full !== undefined && { whenFull: spool.when_full }),
    })
  }

  async #heartbeatLoop(): Promise<void> {
    const { clock, signal } = this.#options
    while (!signal.aborted) {
      await this.#reportToServers()
      await clock.sleep(serverHeartbeatMs, signal)
    }
  }

  /** Does not throw: jobs run whether or not a server knows of the agent. */
  async #reportToServers(): Promise<void> {
    const { logger, clock, connect, env, signal } = this.#options
    const options = { db: this.#db, connect, env, now: clock.now, countWaiting: () => this.#waitingUploads().waiting }
    try {
      for (const { url, error } of await sendServerHeartbeats(options, this.#config.jobs)) {
        logger.warn({ server: url, reason: error.message }, 'the heartbeat to the server failed')
      }
    } catch (error) {
      if (!signal.aborted) logger.warn({ reason: (error as Error).message }, 'heartbeats to servers failed')
    }
  }

  #waitingUploads(): WaitingUploads {
    const { waiting, refused } = this.#spool.usage()
    return { waiting, refused, oldestAt: this.#spool.list(1)[0]?.created }
  }

  /** Its own address, or that of all jobs. */
  #heartbeatOf({ heartbeat = this.#config.heartbeat }: ScheduledJob): string | undefined {
    return heartbeat
  }

  /** Throws `usage` when the port is taken; the former one then stays. */
  async #setHealthPort(port: number | undefined): Promise<void> {
    if (port === this.#health?.port) return
    const former = this.#health
    const { clock } = this.#options
    this.#health =
      port === undefined
        ? undefined
        : await serveHealth(port, {
            isAlive: () => clock.now() - (this.#agent.lastTurnAt ?? this.#startedAt) < aliveSeconds,
            problems: () => this.#reasons(),
            metrics: () =>
              agentMetrics(this.#db, {
                uploads: this.#waitingUploads(),
                running: this.#agent.running,
                now: clock.now(),
              }),
          })
    await former?.stop()
  }

  /** Why the agent is not ready. */
  #reasons(): string[] {
    const problems = this.#problems.list()
    try {
      const { waiting } = this.#waitingUploads()
      const since = this.#options.clock.now() - (this.#sender.lastGoodAt ?? this.#startedAt)
      if (waiting > 0 && since > sendingSeconds) {
        problems.push(`Sending: ${waiting} uploads wait, and no server took one for ${formatDuration(since)}.`)
      }
    } catch (error) {
      problems.push(`Spool: ${(error as Error).message}`)
    }
    return problems
  }

  #sent({ entry, outcome }: SendResult): void {
    const { logger } = this.#options
    const { id, cluster, server } = entry
    const what = { upload: id, cluster, server: server.url }
    if ('uploaded' in outcome) logger.info({ ...what, run_id: outcome.uploaded.run_id }, 'upload sent')
    else logger.warn({ ...what, reason: outcome.error.message }, 'upload not sent')
  }

  #startWatches(): void {
    const stopping = new AbortController()
    const jobs = this.#config.jobs.filter(({ watch }) => watch)
    const ended = Promise.all(jobs.map((job) => this.#watch(job, stopping.signal)))
    this.#watches = { stop: () => stopping.abort(), ended }
  }

  #watch(job: ScheduledJob, signal: AbortSignal): Promise<void> {
    const { clock, logger, once } = this.#options
    const report = logOnce(clock, (reason) =>
      logger.error({ job: job.name, reason }, 'no report was taken; it is retried'),
    )
    const context = {
      ...this.#context(job),
      ...{ db: this.#db, clock },
      onFile: (job: ScheduledJob, file: string, end: OccurrenceEnd) => this.#ended(job, { file }, end),
      onError: (_job: ScheduledJob, error: Error) => report(error),
    }
    return runWatch(context, job, { signal, once })
  }

  #context(job: ScheduledJob): PerformContext {
    const { env, clock, logger } = this.#options
    const connect: Connect = async (name) => {
      const connection = await this.#options.connect(name)
      return { ...connection, spool: connection.spool && this.#spool }
    }
    const onWarning = (text: string) => logger.warn({ job: job.name }, text)
    return { connect, env, now: clock.now, machine: this.#machine, onWarning }
  }

  #ended(job: ScheduledJob, what: { due_at?: number; file?: string }, end: OccurrenceEnd): void {
    const isFailed = end.state === 'failed'
    this.#result[isFailed ? 'failed' : 'done']++
    this.#options.logger[isFailed ? 'error' : 'info']({ job: job.name, ...what, ...end }, `job ${end.state}`)
    const address = this.#heartbeatOf(job)
    if (address !== undefined) this.#heartbeats.ended(job.name, address, end)
  }

  /** A signal and a changed file may come at the same time. */
  #reloadInTurn(): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#reload())
    return this.#reloading
  }

  /** A configuration that cannot be used leaves the agent with the one that it has. */
  async #reload(): Promise<void> {
    const { logger } = this.#options
    const { file } = this.#config
    try {
      const read = readAgentConfig(file, { machine: this.#machine })
      await this.#setHealthPort(read.health_port)
      await this.#agent.configure(read.jobs)
      this.#config = read
      this.#setBounds(read)
      this.#problems.set('configuration', undefined)
      this.#watches?.stop()
      await this.#watches?.ended
      this.#startWatches()
      logger.info({ jobs: read.jobs.length, file }, 'configuration read again')
    } catch (error) {
      const { message, params } = error as ReltError
      this.#problems.set('configuration', `Configuration: ${message}`)
      logger.error(
        { file, reason: message, problems: params },
        'the configuration cannot be used; the former one stays',
      )
    }
  }
}

function changeOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : ''
}

/** A failure that lasts is logged once in five minutes, not at each turn. */
function logOnce({ now }: Clock, log: (reason: string) => void): (error: unknown) => void {
  let last: { reason: string; at: number } | undefined
  return (error) => {
    const reason = (error as Error).message
    if (last?.reason === reason && now() - last.at < 300) return
    last = { reason, at: now() }
    log(reason)
  }
}
