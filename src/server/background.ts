import { readCatalogSettings } from '../config/catalog.ts'
import type { DeliverySettings } from '../config/delivery.ts'
import type { Env } from '../config/env.ts'
import { type RetentionDays, readRetentionDays } from '../config/retention.ts'
import { isShared } from '../db/kind.ts'
import { ReltError } from '../errors.ts'
import { checkSilence } from '../operations/fleet/check-silence.ts'
import type { Service } from '../service/service.ts'
import { claimPeriod } from '../store/store-care/period.ts'
import { isReadOnly } from '../store/store-care/read-only.ts'
import type { Logger } from '../util/log.ts'
import { keepDelivering, readServerDelivery } from './keep-delivering.ts'
import { FiguresKeeper } from './keep-figures.ts'
import type { TaskName, TaskResults, WorkerStore } from './worker-messages.ts'
import { type RunningTask, startTask } from './worker-task.ts'

interface BackgroundSettings {
  days: RetentionDays
  /** Hours between two catalog syncs; 0 disables them. */
  syncHours: number
  /** Undefined: notifications stay in the outbox. */
  delivery: DeliverySettings | undefined
}

/** Throws `usage`. */
export function readBackgroundSettings(env: Env): BackgroundSettings {
  return {
    days: readRetentionDays(env),
    syncHours: readCatalogSettings(env).syncHours,
    delivery: readServerDelivery(env),
  }
}

const hourMs = 3_600_000
const readOnlyText =
  'the store is read-only: requests are answered from it as it is, and nothing is sent, fetched or removed'
const silenceMs = 60_000

/**
 * Runs maintenance of the store while the server handles requests. Call `renewFigures` when figures of clusters may be
 * missing or outdated.
 */
export async function startBackground(
  service: Service,
  store: WorkerStore,
  { days, syncHours, delivery, logger }: BackgroundSettings & { logger: Logger },
) {
  const { db } = service
  if (await isReadOnly(db)) {
    logger.warn(readOnlyText)
    return { renewFigures: () => {}, stop: async () => {} }
  }
  const figures = new FiguresKeeper(service, store, logger)
  const tasks = new BackgroundTasks(store, taskContext(service, logger))
  tasks.start('retention', {
    everyMs: 24 * hourMs,
    onResult: (removed) => {
      if (Object.values(removed).some((count) => count > 0)) logger.info({ removed, days }, 'old entries removed')
    },
  })
  if (syncHours > 0) {
    tasks.start('catalog sync', {
      everyMs: syncHours * hourMs,
      onResult: (found) => {
        logger.info(toCounts(found), 'synced the catalog')
        figures.renew()
      },
    })
  }
  const stopDelivering = keepDelivering(service, store, { settings: delivery, logger })
  const stopSilenceChecks = repeat(silenceMs, () => logSilence(service, logger))
  const stop = async () => {
    await Promise.all([tasks.stop(), stopSilenceChecks(), stopDelivering(), figures.stop()])
  }
  return { stop, renewFigures: figures.renew }
}

const taskContext = ({ db, now }: Service, logger: Logger) => ({
  now,
  logger,
  /** Whether this server does the task in the current period. */
  claim: (name: TaskName, everyMs: number) => claimPeriod(db, name, { now: now(), everySeconds: everyMs / 1000 }),
  /** How often to claim a task. Another server may have done it shortly before this one started. */
  askMs: (everyMs: number) => (isShared(db) ? Math.min(everyMs, hourMs) : everyMs),
})

async function logSilence({ db, now }: Service, logger: Logger) {
  try {
    const { opened, ended } = await checkSilence(db, now())
    for (const cluster of opened) logger.warn({ cluster }, 'no report of a cluster for longer than expected')
    for (const cluster of ended) logger.info({ cluster }, 'reports of a cluster come again')
  } catch (error) {
    logger.error({ err: error }, 'checking for silent clusters failed')
  }
}

/** Runs light work on the store in this thread: now, and then at intervals. Returns a function that stops it. */
function repeat(everyMs: number, work: () => Promise<void>) {
  let running: Promise<void> | undefined
  const run = () => {
    running ??= work().finally(() => {
      running = undefined
    })
  }
  run()
  const timer = setInterval(run, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

function toCounts({ sources, total, advisories }: TaskResults['catalog sync']) {
  const outcomes: Record<string, number> = {}
  let [added, updated] = [0, 0]
  for (const one of sources) {
    outcomes[one.outcome] = (outcomes[one.outcome] ?? 0) + 1
    added += one.added
    updated += one.updated
  }
  return { total, outcomes, added, updated, advisories }
}

interface Repetition<N extends TaskName> {
  /** If absent, the task runs once. */
  everyMs?: number
  onResult: (result: TaskResults[N]) => void
}

type TaskContext = ReturnType<typeof taskContext>

/** Runs work on the store in threads, at the start and then at intervals. */
class BackgroundTasks {
  readonly #store: WorkerStore
  readonly #context: TaskContext
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Map<TaskName, RunningTask<unknown>>()
  #isStopped = false

  constructor(store: WorkerStore, context: TaskContext) {
    this.#store = store
    this.#context = context
  }

  /** A failure is logged, and the task runs again at the next interval. */
  start<N extends TaskName>(name: N, { everyMs, onResult }: Repetition<N>): void {
    const { now, logger, claim, askMs } = this.#context
    const run = () => {
      // A run that is longer than the interval is not started a second time.
      if (this.#running.has(name) || this.#isStopped) return
      const running = startTask(this.#store, name, now())
      this.#running.set(name, running)
      running.result
        .then(onResult, (error: unknown) => {
          const isStopped = error instanceof ReltError && error.code === 'cancelled'
          if (!isStopped) logger.error({ err: error }, `${name} failed`)
        })
        .finally(() => this.#running.delete(name))
    }
    const runWhenClaimed = () => {
      if (everyMs === undefined) return run()
      claim(name, everyMs).then(
        (isOurs) => isOurs && run(),
        (error: unknown) => logger.error({ err: error }, `${name} failed`),
      )
    }
    runWhenClaimed()
    // Another server may have done it shortly before this one started: checks hourly.
    if (everyMs !== undefined) this.#timers.push(setInterval(runWhenClaimed, askMs(everyMs)))
  }

  /** Terminates the threads; open transactions are rolled back. */
  async stop() {
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all([...this.#running.values()].map((running) => running.stop()))
  }
}
