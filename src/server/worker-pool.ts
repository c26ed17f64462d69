import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Env } from '../config/env.ts'
import type { Plans } from '../config/plans.ts'
import type { RouteName } from '../contract/routes.ts'
import { ReltError } from '../errors.ts'
import type { SyncResult } from '../operations/catalog/run-sync.ts'
import type { DataKeys } from '../operations/keys/vault.ts'
import type { SentCounts } from '../operations/notifications/deliver.ts'
import type { RemovedCounts } from '../operations/store-care/retention.ts'
import type { Request } from '../service/handler.ts'
import { workerProgram } from './worker-program.ts'

/** Options with which a worker opens the store. */
export interface WorkerStore {
  env: Env
  folder: string
  patienceMs: number
  /** The master key may have been rotated since the server started; its data keys stay. */
  keys?: DataKeys
}

/** A call of a heavy route. */
export interface RouteJob {
  name: RouteName
  request: Request
  /** Body of an upload as it came, in place of the request's own body and report. */
  upload?: Uint8Array
}

export interface WorkerJob extends RouteJob {
  /** Unix seconds. */
  now: number
  /** As they are now: a reload may have changed them. */
  plans: Plans
}

/** An answer of a route as JSON in UTF-8. */
export interface JsonAnswer {
  json: Uint8Array<ArrayBuffer>
  isDuplicate: boolean
}

/** A worker's message for each job. An error is sent as its members, because cloning loses its class. */
export type WorkerResult = { answer: JsonAnswer } | { error: ConstructorParameters<typeof ReltError> }

/** Starts the program as a worker, which `main.ts` recognises by this argument. */
export const workerArgument = '--relt-worker'

const maxQueued = 500

interface QueuedJob {
  job: WorkerJob
  resolve: (answer: JsonAnswer) => void
  reject: (error: unknown) => void
}

/** Threads that answer routes one at a time each, on connections of their own to the store; started when needed. */
export class WorkerPool {
  readonly #store: WorkerStore
  readonly #size: number
  readonly #queue: QueuedJob[] = []
  readonly #idle: Worker[] = []
  readonly #running = new Map<Worker, QueuedJob>()
  #isStopped = false

  constructor(store: WorkerStore, size: number) {
    this.#store = { ...store }
    this.#size = size
  }

  run(job: WorkerJob, keys: DataKeys): Promise<JsonAnswer> {
    if (this.#isStopped || this.#queue.length >= maxQueued) throw new ReltError('busy', 'The service is busy.')
    const { promise, resolve, reject } = Promise.withResolvers<JsonAnswer>()
    this.#store.keys = keys
    this.#queue.push({ job, resolve, reject })
    this.#next()
    return promise
  }

  /** Ends the threads; a transaction that is open is rolled back. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const { reject } of this.#queue.splice(0)) reject(new ReltError('busy', 'The server is going down.'))
    await Promise.all([...this.#idle, ...this.#running.keys()].map((worker) => worker.terminate()))
  }

  #next(): void {
    const queued = this.#queue[0]
    const worker = queued && (this.#idle.pop() ?? this.#start())
    if (!worker) return
    this.#queue.shift()
    this.#running.set(worker, queued)
    worker.ref()
    const [message, transferred] = messageOf(queued.job)
    worker.postMessage(message, transferred)
  }

  #start(): Worker | undefined {
    if (this.#running.size + this.#idle.length >= this.#size) return undefined
    const worker = startWorker(this.#store)
    worker.on('message', (result: WorkerResult) => {
      const { resolve, reject } = this.#finish(worker)!
      if ('answer' in result) resolve(result.answer)
      else reject(new ReltError(...result.error))
      worker.unref()
      this.#idle.push(worker)
      this.#next()
    })
    // Out of memory, or ended by `stop`: the next job starts another.
    const onEnd = (error: unknown) => {
      this.#finish(worker)?.reject(error)
      const index = this.#idle.indexOf(worker)
      if (index >= 0) this.#idle.splice(index, 1)
      if (!this.#isStopped) this.#next()
    }
    worker.on('error', onEnd)
    worker.on('exit', () => onEnd(new ReltError('busy', 'The server is going down.')))
    return worker
  }

  #finish(worker: Worker): QueuedJob | undefined {
    const queued = this.#running.get(worker)
    this.#running.delete(worker)
    return queued
  }
}

const worthTransferring = 1 << 20

/** A large body moves to the worker; a small one may share its buffer with other data and is copied. */
function messageOf(job: WorkerJob): [WorkerJob, ArrayBuffer[]] {
  const { upload } = job
  if (!upload) return [job, []]
  if (upload.byteLength >= worthTransferring) return [job, [upload.buffer as ArrayBuffer]]
  return [{ ...job, upload: Uint8Array.from(upload) }, []]
}

/** The result of each task. */
export interface TaskResults {
  /** How many runs were indexed again. */
  reindex: number
  /** How many clusters got new figures. */
  clusters: number
  retention: RemovedCounts
  'catalog sync': SyncResult
  /** Runs until it is stopped. */
  delivery: SentCounts
}
export type TaskName = keyof TaskResults

export interface WorkerTask {
  name: TaskName
  /** Unix seconds. */
  now: number
}

export interface RunningTask<T> {
  result: Promise<T>
  /** Ends the thread; the result is rejected then. */
  stop: () => Promise<unknown>
}

/** Runs a task in a thread that ends with it. */
export function startTask<N extends TaskName>(store: WorkerStore, name: N, now: number): RunningTask<TaskResults[N]> {
  const worker = startWorker(store, { name, now })
  const result = new Promise<TaskResults[N]>((resolve, reject) => {
    worker.on('message', resolve).on('error', reject)
    worker.on('exit', () => reject(new ReltError('cancelled', `The task ${name} was ended.`)))
  })
  return { result, stop: () => (name === 'delivery' ? stopGently(worker, result) : worker.terminate()) }
}

/** Message that asks a task to end by itself. */
export const stopMessage = 'stop'
/** A post ends after 10 s. */
const patienceMs = 11_000

/** A message on its way would be sent twice if its outcome was lost. */
async function stopGently(worker: Worker, result: Promise<unknown>): Promise<void> {
  worker.postMessage(stopMessage)
  await Promise.race([result.catch(() => undefined), sleep(patienceMs, undefined, { ref: false })])
  await worker.terminate()
}

function startWorker(store: WorkerStore, task?: WorkerTask): Worker {
  const options = { argv: [workerArgument], workerData: { store: { ...store, env: { ...store.env } }, task } }
  // The executable has no files: its program is an asset, as in its boot script.
  if (import.meta.url === '') return new Worker(bootOfExecutable, { ...options, eval: true })
  return new Worker(workerProgram(), options)
}

const bootOfExecutable = `
  const { getRawAsset } = require('node:sea')
  const { Script } = require('node:vm')
  const asset = (name) => Buffer.from(getRawAsset(name))
  const options = { filename: 'relt.cjs', cachedData: asset('main.cache') }
  new Script(asset('main.cjs').toString('latin1'), options).runInThisContext()({}, {}, require)
`
