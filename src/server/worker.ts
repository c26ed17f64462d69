import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { readCatalogSettings } from '../config/catalog.ts'
import { readRetentionDays } from '../config/retention.ts'
import { ReltError } from '../errors.ts'
import { openService, type Service } from '../service/service.ts'
import { defined } from '../util/defined.ts'
import { createLogger, readLogLevel } from '../util/log.ts'
import { releaseMemory } from '../util/release-memory.ts'
import { answerJob } from './answer-job.ts'
import type { TaskName, TaskResults, WorkerJob, WorkerResult, WorkerStore, WorkerTask } from './worker-messages.ts'

/** Runs its task, or handles jobs of a pool until the thread is terminated. Throws `usage` outside of a worker. */
export async function runWorker() {
  if (!parentPort) throw new ReltError('usage', 'Workers are started by `relt serve` alone.')
  const port = parentPort
  const { store, task } = workerData as { store: WorkerStore; task?: WorkerTask }
  let clock = task?.now ?? 0
  const service = { ...(await openService({ ...store, now: () => clock })), keepsFigures: true }
  if (task) {
    if (task.name !== 'delivery') yieldToRequests()
    // Thrown outside of the promise, the error reaches the server, which logs it.
    await tasks[task.name](service, store).then(
      (result) => port.postMessage(result),
      (error: unknown) => {
        setImmediate(() => {
          throw error
        })
      },
    )
    return service.db.destroy()
  }
  port.on('message', async ({ now, plans, environments, ...job }: WorkerJob) => {
    clock = now
    try {
      const answer = await answerJob({ ...service, plans, environments }, job)
      port.postMessage({ answer, totalCpuMs: totalCpuMs() } satisfies WorkerResult, [answer.bytes.buffer])
    } catch (error) {
      port.postMessage({ error: toParts(error), totalCpuMs: totalCpuMs() } satisfies WorkerResult)
    }
    if ('upload' in job && job.upload) releaseBody(job.upload)
  })
  await new Promise<void>((resolve) => port.on('close', resolve))
}

const megabyte = 1024 * 1024

/** If two threads each kept the memory of their last upload, the next uploads would need hundreds of megabytes more. */
function releaseBody({ buffer, byteLength }: Uint8Array) {
  ;(buffer as ArrayBuffer).transfer(0)
  if (byteLength > megabyte) releaseMemory('regular')
}

const lowPriority = 10

/** Only Linux has priorities per thread; `0` means this thread. */
function yieldToRequests() {
  if (process.platform === 'linux') setPriority(0, lowPriority)
}

/** CPU time of this thread. */
function totalCpuMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const tasks: { [N in TaskName]: (service: Service, store: WorkerStore) => Promise<TaskResults[N]> } = {
  async clusters({ db, vault, now, timeZone }) {
    const { makeFigures } = await import('../operations/fleet/make-figures.ts')
    const [begin, beginMs] = [now(), performance.now()]
    const nowOf = () => begin + Math.floor((performance.now() - beginMs) / 1000)
    return makeFigures(db, { vault, now: nowOf, timeZone, idleMs: 15_000 })
  },
  async retention(service, { env }) {
    const { applyRetention } = await import('../operations/store-care/retention.ts')
    return applyRetention(service, readRetentionDays(env), service.now())
  },
  async 'catalog sync'(service, { env, folder }) {
    const { runSync } = await import('../operations/catalog/run-sync.ts')
    // Not aborted here: the server terminates the thread instead.
    const { signal } = new AbortController()
    const options = {
      settings: readCatalogSettings(env),
      env,
      folder,
      projects: [],
      isDry: false,
      concurrency: 4,
      signal,
    }
    return runSync({ ...service, now: () => Math.floor(Date.now() / 1000) }, options)
  },
  async 'catalog pull'(service, { env }) {
    const { pullCatalog } = await import('../operations/catalog/pull.ts')
    return pullCatalog(service, { env, signal: new AbortController().signal })
  },
  async delivery(service, { env }) {
    const [{ openCarrier }, { runDelivery }] = await Promise.all([
      import('../operations/notifications/carrier.ts'),
      import('../operations/notifications/run-delivery.ts'),
    ])
    const now = () => Math.floor(Date.now() / 1000)
    const stopped = new AbortController()
    parentPort!.once('message', () => stopped.abort())
    const logger = createLogger(process.stderr, readLogLevel(env))
    const carrier = await openCarrier(env, now, service)
    if (!carrier) return { sent: 0, failed: 0, skipped: 0 }
    try {
      return await runDelivery(service, {
        carrier,
        now,
        stopped: stopped.signal,
        idleSeconds: 30,
        onError: (error) => logger.error({ err: error }, 'delivering notifications failed'),
      })
    } finally {
      parentPort!.unref()
      await carrier.close()
    }
  },
}

function toParts(error: unknown): ConstructorParameters<typeof ReltError> {
  if (!(error instanceof ReltError)) return ['internal', String((error as Error)?.stack ?? error)]
  const { code, message, hint, params, id, stack } = error
  return [code, message, defined({ hint, params, id, cause: stack })]
}
