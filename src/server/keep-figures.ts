import { ReltError } from '../errors.ts'
import { newsSince } from '../reports/news-since.ts'
import type { Service } from '../service/service.ts'
import { findCatalogRevision } from '../store/catalog/revision.ts'
import { listOutdatedClusters } from '../store/fleet/summary.ts'
import type { Logger } from '../util/log.ts'
import type { WorkerStore } from './worker-messages.ts'
import { type RunningTask, startTask } from './worker-task.ts'

/** Interval of checks: local commands, and time, change the figures, too. */
const lookMs = 30_000
/** Delay to compute the figures of several concurrent uploads together. */
const delayMs = 200

/**
 * Computes the figures of clusters in a thread, which starts when some are missing or based on an older catalog, and ends
 * after an idle time. Requests read the available ones.
 */
export function keepFigures({ db, now, timeZone }: Service, store: WorkerStore, logger: Logger) {
  let task: RunningTask<number> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const looks = setInterval(() => void look(), lookMs)
  void look()
  return { renew, stop }

  /** Call it after an upload or a catalog change. */
  function renew() {
    if (!isStopped && !task) timer ??= setTimeout(start, delayMs)
  }

  async function stop() {
    isStopped = true
    clearInterval(looks)
    clearTimeout(timer)
    await task?.stop()
  }

  function start() {
    timer = undefined
    if (task || isStopped) return
    task = startTask(store, 'clusters', now())
    task.result
      .then((clusters) => clusters > 0 && logger.info({ clusters }, 'figures of clusters updated'), fail)
      .finally(() => {
        task = undefined
        // Checks for changes that occurred while the thread was ending.
        void look()
      })
  }

  async function look() {
    if (task || isStopped) return
    try {
      const [missing] = await listOutdatedClusters(db, {
        revision: (await findCatalogRevision(db)) ?? '',
        since: newsSince(now(), timeZone),
        now: now(),
        limit: 1,
      })
      if (missing) renew()
    } catch (error) {
      fail(error)
    }
  }

  function fail(error: unknown) {
    // A store on a read-only disk is used unchanged.
    const isKnown = error instanceof ReltError && ['cancelled', 'store_read_only'].includes(error.code)
    if (!isStopped && !isKnown) logger.error({ err: error }, 'making the figures of clusters failed')
  }
}
