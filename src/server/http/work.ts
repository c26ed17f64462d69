import type { Route } from '../../contract/route.ts'
import { type RouteAnswer, type RouteName, routes } from '../../contract/routes.ts'
import type { Request } from '../../service/handler.ts'
import { invoke } from '../../service/invoke.ts'
import type { Service } from '../../service/service.ts'
import { answerJob } from '../answer-job.ts'
import type { HeavyJob, WorkerAnswer } from '../worker-messages.ts'
import type { JobOwner } from '../worker-pool.ts'
import { createSlots } from './slots.ts'
import { ownerFor, type RequestState } from './state.ts'

export interface WorkOptions {
  /** Handles heavy jobs outside of this thread, which handles all if it is absent. */
  heavy?: (job: HeavyJob, by: JobOwner) => Promise<WorkerAnswer>
  /** Called when figures of clusters may have changed. */
  renewFigures?: () => void
}

/**
 * Distributes requests: heavy ones to worker threads, others to this thread. Limits an account's parallel requests in this
 * thread, because it would work on all of them in turn.
 */
export class Work {
  readonly #service: Service
  readonly #options: WorkOptions
  readonly #turns = createSlots({
    running: 200,
    runningPerOwner: 6,
    waiting: 10_000,
    waitingPerOwner: 1000,
    patienceMs: 10_000,
  })

  constructor(service: Service, options: WorkOptions) {
    this.#service = service
    this.#options = options
  }

  /** Whether workers handle the route. */
  isHeavy(route: Route) {
    return route.heavy === true && this.#options.heavy !== undefined
  }

  async here<N extends RouteName>(caller: RequestState, name: N, request: Request): Promise<RouteAnswer<N>> {
    const leave = await this.#turns.take(ownerFor(caller))
    try {
      const answer = await invoke(this.#service, name, request)
      this.#noteChange(routes[name])
      return answer
    } finally {
      leave()
    }
  }

  async heavy(caller: RequestState, job: HeavyJob): Promise<WorkerAnswer> {
    const { heavy = (job) => answerJob(this.#service, job) } = this.#options
    const onCpu = (ms: number) => {
      caller.cpuMs += ms
    }
    const answer = await heavy(job, { owner: ownerFor(caller), onCpu })
    if ('name' in job) this.#noteChange(routes[job.name])
    return answer
  }

  #noteChange({ changesFigures, changesCatalog }: Route) {
    if (changesFigures || changesCatalog) this.#options.renewFigures?.()
  }
}
