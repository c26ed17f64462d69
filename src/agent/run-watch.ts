import { watch } from 'node:fs'
import { write } from '../db/transaction.ts'
import { errorTable, ReltError } from '../errors.ts'
import { addFile, findFileOutcome } from '../store/fleet/agent-file.ts'
import { addOccurrence, type OccurrenceEnd } from '../store/fleet/agent-occurrence.ts'
import { namedError } from '../submit/name-file.ts'
import { readReport } from '../submit/read-report-file.ts'
import { submit } from '../submit/submit.ts'
import { defined } from '../util/defined.ts'
import { makeFolder } from '../util/make-folder.ts'
import type { Clock } from './clock.ts'
import { describeError } from './describe-error.ts'
import type { JobOptions } from './job.ts'
import { isMadeByAgent } from './own-folder.ts'
import { endOf, idempotencyKey, prepare } from './perform.ts'
import type { WatchContext, WatchWork } from './sources/source.ts'
import type { WatchSettings } from './sources/watch.ts'
import { type WatchOptions, watchFolder } from './watch-folder.ts'

/** Interval for checking the folder; a file system event only triggers the next check early. */
const lookMs = 30_000
const settleMs = 2000

/** Takes reports from a folder until the signal; with `once`, until no waiting file can be taken. */
export async function runWatch(context: WatchContext, { job, from, signal, once }: WatchWork<WatchSettings>) {
  const { clock, onError } = context
  const { folder: path } = from
  const folder = createWatch(context, job, from)
  const isOurs = isMadeByAgent(context.env, path)
  let rounds = 0
  while (!signal.aborted) {
    let isWaiting = false
    try {
      if (isOurs) makeFolder(path)
      const { error, waiting } = await folder.look(signal)
      if (error) onError(error)
      isWaiting = waiting > 0 && !error
    } catch (error) {
      onError(new ReltError('usage', `The folder ${path} cannot be read: ${(error as Error).message}.`))
    }
    // The second check takes the files that the first has seen.
    if (once && (!isWaiting || ++rounds > 2)) return
    await pause(path, { ms: isWaiting ? settleMs : lookMs, clock, signal })
  }
}

/** Ends after the time, at the signal, or shortly after a change in the folder. */
async function pause(folder: string, { ms, clock, signal }: { ms: number; clock: Clock; signal: AbortSignal }) {
  const early = new AbortController()
  let watcher: ReturnType<typeof watch> | undefined
  try {
    watcher = watch(folder, { persistent: false }, () => early.abort())
    watcher.on('error', () => {})
  } catch {
    // Not supported on every file system.
  }
  await clock.sleep(ms, AbortSignal.any([signal, early.signal]))
  watcher?.close()
  if (early.signal.aborted && !signal.aborted) await clock.sleep(Math.min(settleMs, ms), signal)
}

function createWatch(context: WatchContext, job: JobOptions, from: WatchSettings) {
  const { db, clock, onFile } = context
  const ends = new Map<string, OccurrenceEnd>()
  return watchFolder({
    ...from,
    now: clock.now,
    find: (contentHash) => findFileOutcome(db, job.name, contentHash),
    submit: (file) => submitFile(context, job, file, ends),
    async record(file) {
      const { name, contentHash, outcome, reason } = file
      const end: OccurrenceEnd =
        outcome === 'refused'
          ? { state: 'failed', exit_code: 2, detail: reason }
          : (ends.get(contentHash) ?? { state: 'done', detail: null })
      ends.delete(contentHash)
      if (await recordFile(context, job, file, end)) onFile(name, end)
    },
  })
}

/** Returns why the file is rejected. `ends` gets the outcome of an upload, by the hash of its file. */
async function submitFile(
  context: WatchContext,
  job: JobOptions,
  { name, content, contentHash }: Parameters<WatchOptions['submit']>[0],
  ends: Map<string, OccurrenceEnd>,
) {
  const { submitContext, policy } = await prepare(context, job)
  let isRead = false
  try {
    const { report, envelope } = await readReport(content, name)
    isRead = true
    const { cluster, environment } = job
    const body = {
      source: 'relt',
      ...envelope,
      ...defined({ environment }),
      cluster: { ...envelope.cluster, ...defined({ name: cluster }) },
    }
    const submission = { body, report, idempotencyKey: idempotencyKey(context.machine, job.name, contentHash) }
    const outcome = await submit(submitContext, submission, { offlineOk: true })
    ends.set(contentHash, await endOf(submitContext, { outcome, report, policy }))
    return undefined
  } catch (error) {
    if (!isAboutTheFile(error)) throw error
    // Errors of reading a file already contain its name.
    const named = isRead ? namedError(error, name) : error
    return named ? describeError(named) : `${name}: ${describeError(error)}`
  }
}

/** False if the file is already recorded. */
function recordFile(
  { db, clock }: WatchContext,
  job: JobOptions,
  { name, contentHash, outcome, reason }: Parameters<WatchOptions['record']>[0],
  { state, ...end }: OccurrenceEnd,
) {
  const at = clock.now()
  return write(db, 'agent jobs', async (trx) => {
    if (!(await addFile(trx, { job: job.name, content_hash: contentHash, name, outcome, at }))) return false
    const detail = outcome === 'refused' ? reason : [name, end.detail].filter(Boolean).join(': ')
    const times = { due_at: at, started_at: at, finished_at: at, late_seconds: 0 }
    await addOccurrence(trx, { job: job.name, cause: 'file', state, ...times, ...end, detail })
    return true
  })
}

/** The server would reject this file each time. */
function isAboutTheFile(error: unknown): error is ReltError {
  return error instanceof ReltError && [400, 413, 415].includes(errorTable[error.code].status)
}
