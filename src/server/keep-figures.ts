import { ReltError } from '../errors.ts'
import type { Service } from '../service/service.ts'
import { findCatalogRevision } from '../store/catalog/revision.ts'
import { listOutdatedClusters } from '../store/fleet/summary.ts'
import type { Logger } from '../util/log.ts'
import type { WorkerStore } from './worker-messages.ts'
import { type RunningTask, startTask } from './worker-task.ts'

/** Commands of this machine, and time, change the figures, too. */
const lookMs = 30_000
/** Several uploads are often on their way: their figures are made together. */
const delayMs = 200

export interface FiguresKeeper {
  /** An upload or the catalog has changed some. */
  renew: () => void
  stop: () => Promise<void>
}

/**
 * Makes the figures of clusters in a thread, which is started when some are missing or of an older catalog, and ends when
 * there was nothing to make for a while. Requests read those that are there.
 */
export function keepFigures({ db, now }: Service, store: WorkerStore, logger: Logger): FiguresKeeper {
  let task: RunningTask<number> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const fail = (error: unknown) => {
    // A store on a read-only disk is read as it is.
    const isKnown = error instanceof ReltError && ['cancelled', 'store_read_only'].includes(error.code)
    if (!isStopped && !isKnown) logger.error({ err: error }, 'making the figures of clusters failed')
  }

  function start(): void {
    timer = undefined
    if (task || isStopped) return
    task = startTask(store, 'clusters', now())
    task.result
      .then((clusters) => clusters > 0 && logger.info({ clusters }, 'figures of clusters updated'), fail)
      .finally(() => {
        task = undefined
        // What changed when the thread was about to end.
        void look()
      })
  }

  function renew(): void {
    if (!isStopped && !task) timer ??= setTimeout(start, delayMs)
  }

  async function look(): Promise<void> {
    if (task || isStopped) return
    try {
      const revision = (await findCatalogRevision(db)) ?? ''
      const [missing] = await listOutdatedClusters(db, { revision, now: now(), limit: 1 })
      if (missing) renew()
    } catch (error) {
      fail(error)
    }
  }

  const looks = setInterval(() => void look(), lookMs)
  void look()
  return {
    renew,
    async stop() {
      isStopped = true
      clearInterval(looks)
      clearTimeout(timer)
      await task?.stop()
    },
  }
}
