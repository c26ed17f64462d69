import { ReltError } from '../errors.ts'
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
export class FiguresKeeper {
  readonly #service: Service
  readonly #store: WorkerStore
  readonly #logger: Logger
  readonly #looks: NodeJS.Timeout
  #task: RunningTask<number> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(service: Service, store: WorkerStore, logger: Logger) {
    this.#service = service
    this.#store = store
    this.#logger = logger
    this.#looks = setInterval(() => void this.#look(), lookMs)
    void this.#look()
  }

  /** Call it after an upload or a catalog change. */
  readonly renew = () => {
    if (!this.#isStopped && !this.#task) this.#timer ??= setTimeout(() => this.#start(), delayMs)
  }

  async stop() {
    this.#isStopped = true
    clearInterval(this.#looks)
    clearTimeout(this.#timer)
    await this.#task?.stop()
  }

  #start(): void {
    this.#timer = undefined
    if (this.#task || this.#isStopped) return
    this.#task = startTask(this.#store, 'clusters', this.#service.now())
    this.#task.result
      .then(
        (clusters) => clusters > 0 && this.#logger.info({ clusters }, 'figures of clusters updated'),
        (error) => this.#fail(error),
      )
      .finally(() => {
        this.#task = undefined
        // Checks for changes that occurred while the thread was ending.
        void this.#look()
      })
  }

  async #look() {
    if (this.#task || this.#isStopped) return
    const { db, now } = this.#service
    try {
      const revision = (await findCatalogRevision(db)) ?? ''
      const [missing] = await listOutdatedClusters(db, { revision, now: now(), limit: 1 })
      if (missing) this.renew()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    // A store on a read-only disk is used unchanged.
    const isKnown = error instanceof ReltError && ['cancelled', 'store_read_only'].includes(error.code)
    if (!this.#isStopped && !isKnown) this.#logger.error({ err: error }, 'making the figures of clusters failed')
  }
}
