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

/**
 * Makes the figures of clusters in a thread, which is started when some are missing or of an older catalog, and ends when
 * there was nothing to make for a while. Requests read those that are there.
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

  /** An upload or the catalog has changed some. */
  readonly renew = (): void => {
    if (!this.#isStopped && !this.#task) this.#timer ??= setTimeout(() => this.#start(), delayMs)
  }

  async stop(): Promise<void> {
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
        // What changed when the thread was about to end.
        void this.#look()
      })
  }

  async #look(): Promise<void> {
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
    // A store on a read-only disk is read as it is.
    const isKnown = error instanceof ReltError && ['cancelled', 'store_read_only'].includes(error.code)
    if (!this.#isStopped && !isKnown) this.#logger.error({ err: error }, 'making the figures of clusters failed')
  }
}
