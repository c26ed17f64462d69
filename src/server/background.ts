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
import { keepFigures } from './keep-figures.ts'
import type { TaskName, TaskResults, WorkerStore } from './worker-messages.ts'
import { type RunningTask, startTask } from './worker-task.ts'

interface BackgroundSettings {
  days: RetentionDays
  /** Hours between two catalog syncs; 0 disables them. */
  syncHours: number
  /** Whether the published catalog is pulled daily. */
  pulls: boolean
  /** Undefined: notifications stay in the outbox. */
  delivery: DeliverySettings | undefined
}

/** Throws `usage`. */
export function readBackgroundSettings(env: Env): BackgroundSettings {
  const { syncHours, pullUrl } = readCatalogSettings(env)
  return {
    days: readRetentionDays(env),
    syncHours,
    pulls: pullUrl !== undefined,
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
  { days, syncHours, pulls, delivery, logger }: BackgroundSettings & { logger: Logger },
) {
  const { db } = service
  if (await isReadOnly(db)) {
    logger.warn(readOnlyText)
    return { renewFigures: () => {}, stop: async () => {} }
  }
  const figures = keepFigures(service, store, logger)
  const tasks = backgroundTasks(service, store, logger)
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
  if (pulls) {
    tasks.start('catalog pull', {
      everyMs: 24 * hourMs,
      onResult: (pulled) => {
        logger.info({ ...pulled }, pulled ? 'pulled the catalog' : 'the published catalog has not changed')
        if (pulled) figures.renew()
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
  everyMs: number
  onResult: (result: TaskResults[N]) => void
}

/** Runs work on the store in threads, at the start and then at intervals. */
function backgroundTasks({ db, now }: Service, store: WorkerStore, logger: Logger) {
  const timers: NodeJS.Timeout[] = []
  const inProgress = new Map<TaskName, RunningTask<unknown>>()
  let isStopped = false
  return { start, stop }

  /** A failure is logged, and the task runs again at the next interval. */
  function start<N extends TaskName>(name: N, { everyMs, onResult }: Repetition<N>) {
    const fail = (error: unknown) => logger.error({ err: error }, `${name} failed`)
    const run = () => {
      // A run that is longer than the interval is not started a second time.
      if (inProgress.has(name) || isStopped) return
      const running = startTask(store, name, now())
      inProgress.set(name, running)
      running.result
        .then(onResult, (error: unknown) => {
          if (!(error instanceof ReltError && error.code === 'cancelled')) fail(error)
        })
        .finally(() => inProgress.delete(name))
    }
    // Another server on the store may do the task in this period.
    const runWhenClaimed = () => {
      claimPeriod(db, name, { now: now(), everySeconds: everyMs / 1000 }).then((isOurs) => isOurs && run(), fail)
    }
    runWhenClaimed()
    // Another server may have done it shortly before this one started: checks hourly.
    timers.push(setInterval(runWhenClaimed, isShared(db) ? Math.min(everyMs, hourMs) : everyMs))
  }

  /** Terminates the threads; open transactions are rolled back. */
  async function stop() {
    isStopped = true
    for (const timer of timers) clearInterval(timer)
    await Promise.all([...inProgress.values()].map((running) => running.stop()))
  }
}
