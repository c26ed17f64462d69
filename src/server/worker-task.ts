import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { ReltError } from '../errors.ts'
import { startWorker } from './start-worker.ts'
import type { TaskName, TaskResults, WorkerStore } from './worker-messages.ts'

export interface RunningTask<T> {
  result: Promise<T>
  /** Stops the thread; the result is then rejected. */
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
const stopMessage = 'stop'
/** A post times out after 10 s. */
const patienceMs = 11_000

/** A message in flight would be sent twice if its outcome was lost. */
async function stopGently(worker: Worker, result: Promise<unknown>) {
  worker.postMessage(stopMessage)
  await Promise.race([result.catch(() => undefined), sleep(patienceMs, undefined, { ref: false })])
  await worker.terminate()
}
