import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { ReltError } from '../errors.ts'
import type { DataKeys } from '../operations/keys/vault.ts'
import { createSlots } from './http/slots.ts'
import { startWorker } from './start-worker.ts'
import type { WorkerAnswer, WorkerJob, WorkerResult, WorkerStore } from './worker-messages.ts'

/** How long a job waits for a thread. */
const patienceMs = 10_000
/** Limit of a job's CPU time: more than the largest report needs on a slow machine. */
const maxCpuMs = 30_000
/** A thread that does not report its CPU time within this time is blocked. */
const answerMs = 5_000

/** An account, or an address. */
export interface JobOwner {
  owner: string
  /** Called with the CPU time of the job, whatever its outcome. */
  onCpu: (ms: number) => void
}

interface RunningJob extends JobOwner {
  resolve: (answer: WorkerAnswer) => void
  reject: (error: unknown) => void
}

interface PoolWorker {
  thread: Worker
  job: RunningJob | undefined
  /** CPU time before the current job. */
  cpuMs: number
  /** Earliest time at which the job can have used its CPU time; of `performance.now()`. */
  lookAt: number
  /** The job exceeded its CPU time, and the thread is being terminated. */
  isEnding: boolean
}

/**
 * Threads that each handle one job at a time, with their own connections to the store; started on demand. Owners take turns,
 * and none can use all threads. `size`: at least 2.
 */
export function createWorkerPool(given: WorkerStore, size: number, limitMs = maxCpuMs) {
  const store = { ...given }
  const slots = createSlots({
    running: size,
    runningPerOwner: size - 1,
    waiting: 500,
    waitingPerOwner: 100,
    patienceMs,
  })
  const workers = new Set<PoolWorker>()
  const looks = setInterval(lookAtAll, Math.min(1000, limitMs)).unref()
  let isStopped = false
  return { run, stop }

  /** Throws `busy` if no thread was free in time, and `too_costly`. */
  async function run(job: WorkerJob, keys: DataKeys, { owner, onCpu }: JobOwner) {
    refuseStopped()
    const release = await slots.take(owner)
    try {
      refuseStopped()
      store.keys = keys
      const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>()
      give({ owner, onCpu, resolve, reject }, job)
      return await promise
    } finally {
      release()
    }
  }

  /** Terminates the threads; open transactions are rolled back. */
  async function stop() {
    isStopped = true
    clearInterval(looks)
    await Promise.all([...workers].map(({ thread }) => thread.terminate()))
  }

  function refuseStopped() {
    if (isStopped) throw goingDown()
  }

  function give(running: RunningJob, job: WorkerJob) {
    const worker = [...workers].find((worker) => worker.job === undefined) ?? start()
    worker.job = running
    worker.thread.ref()
    const [message, transferred] = formatMessage(job)
    worker.thread.postMessage(message, transferred)
    worker.lookAt = performance.now() + limitMs
  }

  function start() {
    const thread = startWorker(store)
    const worker: PoolWorker = { thread, job: undefined, cpuMs: 0, lookAt: 0, isEnding: false }
    workers.add(worker)
    thread.on('message', (result: WorkerResult) => {
      const job = finish(worker, result.totalCpuMs)!
      thread.unref()
      if ('answer' in result) job.resolve(result.answer)
      else job.reject(new ReltError(...result.error))
    })
    // Out of memory, or terminated: the next job starts a new thread.
    const onEnd = (error: unknown) => {
      workers.delete(worker)
      if (worker.isEnding) refuse(worker)
      else finish(worker)?.reject(error)
    }
    thread.on('error', onEnd)
    thread.on('exit', () => onEnd(goingDown()))
    return worker
  }

  function finish(worker: PoolWorker, totalCpuMs = worker.cpuMs) {
    const { job } = worker
    worker.job = undefined
    job?.onCpu(totalCpuMs - worker.cpuMs)
    worker.cpuMs = totalCpuMs
    return job
  }

  function lookAtAll() {
    const now = performance.now()
    for (const worker of workers) if (worker.job && now >= worker.lookAt) void look(worker, worker.job)
  }

  /**
   * Terminates the thread of a job that exceeds its CPU time. CPU time never exceeds elapsed time, so this need not check
   * earlier.
   */
  async function look(worker: PoolWorker, job: RunningJob) {
    worker.lookAt = Number.POSITIVE_INFINITY
    const used = await cpuMsOf(worker.thread)
    if (worker.job !== job) return
    const left = used === undefined ? 0 : limitMs - (used - worker.cpuMs)
    if (left > 0) {
      worker.lookAt = performance.now() + left
      return
    }
    workers.delete(worker)
    worker.isEnding = true
    // Until it is terminated, the thread may still complete and answer its job.
    await Promise.race([worker.thread.terminate(), sleep(answerMs, undefined, { ref: false })])
    refuse(worker)
  }

  function refuse(worker: PoolWorker) {
    finish(worker, worker.cpuMs + limitMs)?.reject(tooCostly(limitMs))
  }
}

async function cpuMsOf(thread: Worker) {
  const usage = thread.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => undefined,
  )
  return Promise.race([usage, sleep(answerMs, undefined, { ref: false })])
}

const goingDown = () => new ReltError('busy', 'The server is going down.')

const tooCostly = (limitMs: number) =>
  new ReltError('too_costly', `This takes more than ${limitMs / 1000} s of processor time.`, {
    hint: 'Ask for less at once: one cluster, a shorter time, or a smaller report.',
  })

const worthTransferring = 1 << 20

/** A large body is transferred to the worker; a small one may share its buffer with other data and is copied. */
function formatMessage(job: WorkerJob): [WorkerJob, ArrayBuffer[]] {
  const upload = 'upload' in job ? job.upload : undefined
  if (!upload) return [job, []]
  if (upload.byteLength >= worthTransferring) return [job, [upload.buffer as ArrayBuffer]]
  return [{ ...job, upload: Uint8Array.from(upload) }, []]
}
