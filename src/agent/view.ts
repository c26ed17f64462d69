import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import { isPresent } from '../db/presence.ts'
import { write } from '../db/transaction.ts'
import { ReltError } from '../errors.ts'
import { listJobs, type StoredJob, setPaused } from '../store/fleet/agent-job.ts'
import {
  addOccurrence,
  listHistory,
  listLastEnded,
  listOpen,
  type Occurrence,
} from '../store/fleet/agent-occurrence.ts'
import { formatTimestamp, timestampOrNull, type UnixSeconds } from '../util/time.ts'
import { probeAgent } from './alive.ts'
import { nextStart, registerConfig } from './occurrences.ts'
import type { ScheduledJob } from './read-config.ts'
import { machineFor, openAgentStore, presenceFile } from './run-agent.ts'
import { findNewerRelt } from './server-heartbeat.ts'
import { cannotStart, sourceFor } from './sources/index.ts'

/** An entry of the history as commands show it. */
export type HistoryItem = ReturnType<typeof toHistoryItem>

export type AgentView = Awaited<ReturnType<typeof openAgentView>>

const isRunning = (env: Env) => existsSync(presenceFile(env)) && isPresent(presenceFile(env))

/** Why no agent is running on this machine; undefined if one is. */
export async function findStopped(env: Env): Promise<string | undefined> {
  if (!isRunning(env)) return 'No agent is running.'
  return (await probeAgent(env)) ? undefined : 'The loop of the agent has stopped.'
}

/** The agent's state on this machine, for other commands. */
export async function openAgentView({ env, now }: { env: Env; now: () => UnixSeconds }) {
  const db = await openAgentStore({ env, now })
  return {
    isRunning: () => isRunning(env),
    history: (options: Parameters<typeof listHistory>[1]) => listHistory(db, options),
    /** A newer version of relt that a server runs. */
    newerRelt: () => findNewerRelt(db),
    async status(jobs: ScheduledJob[]) {
      const [stored, open, ended] = await Promise.all([listJobs(db), listOpen(db), listLastEnded(db)])
      return jobs.map((job) => {
        const ofJob = (items: Occurrence[]) => items.filter((item) => item.job === job.name)
        const known = stored.find(({ name }) => name === job.name)
        return toStatus(job, known, { open: ofJob(open), ended: ofJob(ended), now: now() })
      })
    },
    async trigger(job: ScheduledJob) {
      if (sourceFor(job).source.kind === 'watched') throw cannotStart(job)
      const occurrence = { cause: 'trigger', due_at: now(), state: 'pending', late_seconds: 0, detail: null } as const
      await write(db, 'agent jobs', (trx) => addOccurrence(trx, { job: job.name, ...occurrence }))
    },
    async setPaused({ name, ...job }: ScheduledJob, isPaused: boolean) {
      if (await setPaused(db, name, isPaused)) return
      await registerConfig(db, [{ name, ...job }], now())
      await setPaused(db, name, isPaused)
    },
    close: () => db.destroy(),
  }
}

/** The seed for jobs of the agent on this machine; does not create a store. */
export async function findMachine(env: Env): Promise<string> {
  if (!existsSync(join(dataFolder(env), 'relt.db'))) return hostname()
  const db = await openAgentStore({ env, now: () => 0 })
  try {
    return await machineFor(db)
  } finally {
    await db.destroy()
  }
}

/** With times in wire format. */
export function toHistoryItem(occurrence: Occurrence) {
  const { job, cause, state, count, late_seconds, run_id, score, verdict, exit_code, detail } = occurrence
  return {
    job,
    cause,
    state,
    count,
    late_seconds,
    due_at: formatTimestamp(occurrence.due_at),
    /** The last instant if several were missed. */
    until: formatTimestamp(occurrence.until_at),
    started_at: timestampOrNull(occurrence.started_at),
    finished_at: timestampOrNull(occurrence.finished_at),
    run_id,
    score,
    verdict,
    exit_code,
    detail,
  }
}

/** The job with this name. Throws `not_found`. */
export function requireJob(jobs: ScheduledJob[], name: string) {
  const job = jobs.find((each) => each.name === name)
  if (job) return job
  throw new ReltError('not_found', `No job named ${name}.`, {
    hint: `Known jobs: ${jobs.map((each) => each.name).join(', ')}.`,
  })
}

function toStatus(
  job: ScheduledJob,
  stored: StoredJob | undefined,
  { open, ended, now }: { open: Occurrence[]; ended: Occurrence[]; now: UnixSeconds },
) {
  const latest = ended.toSorted((a, b) => a.id - b.id).at(-1)
  const success = ended.find(({ state }) => state === 'done')
  const next = stored?.isPaused ? undefined : nextStart(job, Math.max(stored?.watermark ?? now, now))
  const busy = open.some(({ state }) => state === 'running') ? 'running' : open.length > 0 ? 'waiting' : undefined
  return {
    job: job.name,
    state: stored?.isPaused
      ? 'paused'
      : (busy ?? (sourceFor(job).source.kind === 'watched' ? 'watching' : 'scheduled')),
    last: latest ? toHistoryItem(latest) : null,
    last_success_at: timestampOrNull(success?.finished_at),
    next_at: timestampOrNull(next),
  }
}
