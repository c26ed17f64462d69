import { Worker } from 'node:worker_threads'
import { type WorkerStore, type WorkerTask, workerArgument } from './worker-messages.ts'
import { workerProgram } from './worker-program.ts'

/** Starts a thread for one task, or for the jobs of a pool. */
export function startWorker(store: WorkerStore, task?: WorkerTask) {
  const options = {
    argv: [workerArgument],
    workerData: { store: { ...store, env: { ...store.env } }, task },
    resourceLimits: { maxYoungGenerationSizeMb },
  }
  // The single executable has no files: its program is an asset, as in its boot script.
  if (import.meta.url === '') return new Worker(bootOfExecutable, { ...options, eval: true })
  return new Worker(workerProgram(), options)
}

/** Uploads and pages are as quick as with the usual size, which takes more memory. */
const maxYoungGenerationSizeMb = 24

const bootOfExecutable = `
  const { getRawAsset } = require('node:sea')
  const { Script } = require('node:vm')
  const asset = (name) => Buffer.from(getRawAsset(name))
  const options = { filename: 'relt.cjs', cachedData: asset('main.cache') }
  new Script(asset('main.cjs').toString('latin1'), options).runInThisContext()({}, {}, require)
`
