import { parentPort, workerData } from 'node:worker_threads'
import { ReltError } from '../errors.ts'
import { openService, type Service } from '../services/service.ts'
import { invoke } from './app.ts'
import type { WorkerJob, WorkerResult, WorkerStore, WorkerTask } from './worker-pool.ts'

/** Does its task, or answers the jobs of a pool until the thread is ended. Throws `usage` outside a worker. */
export async function runWorker(): Promise<void> {
  if (!parentPort) throw new ReltError('usage', 'Workers are started by `relt serve` alone.')
  const port = parentPort
  const { store, task } = workerData as { store: WorkerStore; task?: WorkerTask }
  let clock = 0
  const service = await openService({ ...store, now: () => clock })
  if (task) {
    port.postMessage(await doTask(service, task))
    return service.db.destroy()
  }
  port.on('message', async ({ name, request, now }: WorkerJob) => {
    clock = now
    try {
      const answer = await invoke(service, name, request)
      const json = new TextEncoder().encode(JSON.stringify(answer))
      const isDuplicate = (answer as { duplicate?: true }).duplicate === true
      port.postMessage({ answer: { json, isDuplicate } } satisfies WorkerResult, [json.buffer])
    } catch (error) {
      port.postMessage({ error: partsOf(error) } satisfies WorkerResult)
    }
  })
  await new Promise<void>((resolve) => port.on('close', resolve))
}

async function doTask({ db, vault }: Service, task: WorkerTask) {
  if (task.task === 'reindex') return (await import('../services/reindex-runs.ts')).reindexRuns(db, { vault })
  return (await import('../services/retention.ts')).applyRetention(db, task.days, task.now)
}

function partsOf(error: unknown): ConstructorParameters<typeof ReltError> {
  if (!(error instanceof ReltError)) return ['internal', String((error as Error)?.stack ?? error)]
  const { code, message, hint, params, id, stack } = error
  const known = Object.entries({ hint, params, id, cause: stack }).filter(([, value]) => value !== undefined)
  return [code, message, Object.fromEntries(known)]
}
