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
import { daySeconds } from '../util/time.ts'
import { Agent } from './agent.ts'
import { agentMetrics } from './agent-metrics.ts'
import { aliveSeconds, answerProbe } from './alive.ts'
import type { Clock } from './clock.ts'
import { type HealthServer, serveHealth } from './health.ts'
import { logOnce } from './log-once.ts'
import type { Connect } from './perform.ts'
import { type ReadConfig, readAgentConfig, type ScheduledJob } from './read-config.ts'
import { cannotStart, sourceFor } from './sources/index.ts'
import type { WatchedSource, WatchWork } from './sources/source.ts'
import { openUploads } from './uploads.ts'

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

/** Service managers kill after 30 s or more. After this time, a scanner gets another 5 s to end. */
const graceMs = 15_000
/** Interval for checking the configuration file. */
const lookMs = 2000
const serverHeartbeatMs = 300_000
const pullMs = daySeconds * 1000
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
export async function runAgent(options: AgentProcess) {
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
      return await runOpened({ ...options, signal, hurry }, { db, machine, config, replaced })
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
async function runOpened(options: AgentProcess, { db, machine, replaced, config: first }: Opened) {
  const { env, clock, logger, once, signal, hurry, connectTo, connect, isLocal, onReady } = options
  const result = { done: 0, failed: 0 }
  const startedAt = clock.now()
  const { file } = first
  let config = first
  /** Why the last read of the file failed. */
  let configProblem: string | undefined
  let health: HealthServer | undefined
  let reloading: Promise<void> = Promise.resolve()
  let watches: { stop: () => void; ended: Promise<unknown> } | undefined
  /** End of the agent's last work; undefined once it has released its memory. */
  let busyUntil: number | undefined = startedAt
  let releasedAt = Number.NEGATIVE_INFINITY
  const uploads = openUploads({ env, clock, logger, connectTo, onSent: noteWork })
  uploads.setBounds(config.spool)
  const agent = new Agent({
    db,
    clock,
    onStart: (job, { due_at, attempts }) => logger.info({ job: job.name, due_at, attempts }, 'job started'),
    onEnd: (job, { due_at }, end) => noteEnd(job, { due_at }, end),
    onError: logOnce(clock, (reason) => logger.error({ reason }, 'the agent could not continue and retries')),
    perform,
  })
  if (!once) await setHealthPort(config)
  try {
    await agent.configure(config.jobs)
    logger.info({ jobs: config.jobs.length, file }, 'agent started')
    onReady?.(reloadInTurn)
    await (once || signal.aborted ? runOnce() : runOn())
    logger.info(result, 'agent stopped')
    if (replaced.signal.aborted) {
      throw new ReltError('internal', 'relt was replaced while the agent ran.', {
        hint: 'Start the agent again. A service does so by itself.',
      })
    }
    return result
  } finally {
    await health?.stop()
  }

  async function perform(job: ScheduledJob, occurrence: Occurrence, signal: AbortSignal) {
    try {
      const { source, from } = sourceFor(job)
      if (source.kind !== 'scheduled') throw cannotStart(job)
      return await source.run(contextFor(job), { job, from, occurrence, signal })
    } catch (error) {
      // After an update, the occurrence waits for the next agent, which has all its modules.
      if (isReplaced(error) && !signal.aborted) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      }
      throw error
    }
  }

  /** Stops the agent if a module not loaded yet no longer exists, as after an update. */
  function isReplaced(error: unknown) {
    const isMissing = isMissingModule(error)
    if (isMissing) replaced.abort()
    return isMissing
  }

  async function runOnce() {
    const stop = () => void agent.stop(graceMs, hurry)
    signal.addEventListener('abort', stop)
    await reportToServers()
    const ended = watchAll(signal)
    // A waiting occurrence starts when a running one ends.
    do {
      await agent.turn()
      await agent.settled()
    } while (!signal.aborted && (await agent.hasWaiting()))
    await Promise.all(ended)
    await uploads.send(signal)
    signal.removeEventListener('abort', stop)
  }

  async function runOn() {
    const loops = [agent.loop(), uploads.loop(signal), pullLoop()]
    // Not awaited at the end: an unresponsive server would block the agent.
    void heartbeatLoop()
    startWatches()
    let known = toChange(file)
    while (!signal.aborted) {
      if (isAlive()) answerProbe(env)
      await clock.sleep(lookMs, signal)
      releaseWhenIdle()
      const change = toChange(file)
      if (change === known) continue
      known = change
      await reloadInTurn()
    }
    watches?.stop()
    await Promise.all([agent.stop(graceMs, hurry), watches?.ended])
    await Promise.all(loops)
  }

  async function heartbeatLoop() {
    while (!signal.aborted) {
      await reportToServers()
      await clock.sleep(serverHeartbeatMs, signal)
    }
  }

  /** Pulls the published catalog daily, if its address is set. Does not throw. */
  async function pullLoop() {
    while (env.RELT_CATALOG_URL && !signal.aborted) {
      try {
        const { pullCatalog } = await import('../operations/catalog/pull.ts')
        const pulled = await pullCatalog({ db, now: clock.now }, { env, signal })
        if (pulled) logger.info(pulled, 'pulled the catalog')
        noteWork()
      } catch (error) {
        if (!signal.aborted) logger.warn({ reason: (error as Error).message }, 'the catalog was not pulled')
      }
      await clock.sleep(pullMs, signal)
    }
  }

  /** Does not throw: jobs run whether or not a server knows of the agent. */
  async function reportToServers() {
    const countWaiting = () => uploads.waiting().waiting
    try {
      const jobs: ScheduledJob[] = []
      for (const [server, ofServer] of Map.groupBy(config.jobs, ({ server }) => server)) {
        if (!(await isLocal(server))) jobs.push(...ofServer)
      }
      if (jobs.length === 0) return
      const { sendServerHeartbeats } = await import('./server-heartbeat.ts')
      const options = { db, connect, env, now: clock.now, countWaiting }
      for (const { url, error } of await sendServerHeartbeats(options, jobs)) {
        logger.warn({ server: url, reason: error.message }, 'the heartbeat to the server failed')
      }
    } catch (error) {
      if (!signal.aborted) logger.warn({ reason: (error as Error).message }, 'heartbeats to servers failed')
    }
  }

  /** Throws `usage` if the port is taken; the previous one then stays. */
  async function setHealthPort({ health_port: port, health_host: host = '127.0.0.1' }: ReadConfig) {
    if (port === health?.port && (port === undefined || host === health?.host)) return
    // The same port on another address is taken until the previous one is closed.
    if (port !== undefined && port === health?.port) await health.stop()
    const former = health
    health =
      port === undefined
        ? undefined
        : await serveHealth(
            { port, host },
            {
              isAlive,
              problems,
              metrics: () =>
                agentMetrics(db, {
                  uploads: uploads.waiting(),
                  running: agent.running,
                  now: clock.now(),
                }),
            },
          )
    await former?.stop()
  }

  function isAlive() {
    return clock.now() - (agent.lastTurnAt ?? startedAt) < aliveSeconds
  }

  /** Why the agent is not ready. */
  function problems() {
    return [...(configProblem === undefined ? [] : [configProblem]), ...uploads.problems()]
  }

  function noteWork() {
    busyUntil = clock.now()
  }

  function releaseWhenIdle() {
    const now = clock.now()
    if (busyUntil === undefined || agent.running > 0) return
    if (now < busyUntil + idleSeconds || now < releasedAt + releaseSeconds) return
    busyUntil = undefined
    releasedAt = now
    releaseMemory('last-resort')
  }

  function startWatches() {
    const stopping = new AbortController()
    watches = { stop: () => stopping.abort(), ended: Promise.all(watchAll(stopping.signal)) }
  }

  function watchAll(signal: AbortSignal) {
    return config.jobs.flatMap((job) => {
      const { source, from } = sourceFor(job)
      return source.kind === 'watched' ? [watch(source, { job, from, signal, once })] : []
    })
  }

  function watch(source: WatchedSource<unknown>, work: WatchWork<unknown> & { job: ScheduledJob }) {
    const { job } = work
    const report = logOnce(clock, (reason) =>
      logger.error({ job: job.name, reason }, 'no report was taken; it is retried'),
    )
    const context = {
      ...contextFor(job),
      db,
      clock,
      onFile: (file: string, end: OccurrenceEnd) => noteEnd(job, { file }, end),
      onError: (error: Error) => {
        if (isReplaced(error)) return
        // Later turns retry; a single run ends without a verdict.
        if (work.once) result.failed++
        report(error)
      },
    }
    return source.run(context, work)
  }

  function contextFor(job: ScheduledJob) {
    const connect: Connect = async (name) => {
      const connection = await options.connect(name)
      return { ...connection, spool: connection.spool && uploads.spool }
    }
    const onWarning = (text: string) => logger.warn({ job: job.name }, text)
    return { connect, env, now: clock.now, machine, onWarning }
  }

  function noteEnd(job: ScheduledJob, what: { due_at?: number; file?: string }, end: OccurrenceEnd) {
    noteWork()
    const isFailed = end.state === 'failed'
    result[isFailed ? 'failed' : 'done']++
    logger[isFailed ? 'error' : 'info']({ job: job.name, ...what, ...end }, `job ${end.state}`)
  }

  /** A signal and a changed file may come at the same time. */
  function reloadInTurn() {
    reloading = reloading.then(reload)
    return reloading
  }

  /** With an invalid configuration, the agent keeps the current one. */
  async function reload() {
    try {
      const read = readAgentConfig(file, { machine })
      await setHealthPort(read)
      await agent.configure(read.jobs)
      config = read
      uploads.setBounds(read.spool)
      configProblem = undefined
      watches?.stop()
      await watches?.ended
      startWatches()
      logger.info({ jobs: read.jobs.length, file }, 'configuration read again')
    } catch (error) {
      const { message, params } = error as ReltError
      configProblem = `Configuration: ${message}`
      logger.error(
        { file, reason: message, problems: params },
        'the configuration cannot be used; the former one stays',
      )
    }
  }
}

function toChange(file: string) {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : ''
}
