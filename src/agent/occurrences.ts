import { hash } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { write } from '../db/transaction.ts'
import { listJobs, registerJobs, saveWatermark } from '../store/fleet/agent-job.ts'
import {
  addOccurrence,
  claimOccurrence,
  endOccurrence,
  listOpen,
  type Occurrence,
  releaseOccurrence,
  removeHistoryBefore,
} from '../store/fleet/agent-occurrence.ts'
import { formatDuration } from '../util/duration.ts'
import { daySeconds, type UnixSeconds } from '../util/time.ts'
import { decide, maxCounted } from './decide.ts'
import type { ScheduledJob } from './read-config.ts'
import { spread } from './spread.ts'

export const leaseSeconds = 60
const historySeconds = 90 * daySeconds
/** Limit for an agent that is killed during each attempt. */
const maxAttempts = 3
/** An occurrence that waits for longer than this beyond `max_late` is missed. */
const graceSeconds = 60
/** An occurrence whose job no agent has is missed after this time. */
const orphanSeconds = daySeconds

/** The time between an instant of the schedule and its start, the same in every process. */
const delayFor =
  ({ name, jitter }: ScheduledJob) =>
  (at: UnixSeconds) =>
    jitter === 0 ? 0 : spread(jitter + 1, name, String(at))

/** Registers the jobs of the configuration in the store. A changed schedule starts at the time of the change. */
export function registerConfig(db: Db, jobs: ScheduledJob[], now: UnixSeconds) {
  const scheduled = jobs.map(({ name, schedule = '', every = 0, time_zone = '' }) => ({
    name,
    schedule: hash('sha256', JSON.stringify([schedule, every, time_zone])),
  }))
  return write(db, 'agent jobs', (trx) => registerJobs(trx, scheduled, now))
}

/** Next start of the job: the first instant after the watermark, and its delay. */
export function nextStart(job: ScheduledJob, watermark: UnixSeconds) {
  const at = job.times?.next(watermark)
  return at === undefined ? undefined : at + delayFor(job)(at)
}

/**
 * Evaluates due jobs and adds an occurrence for each, in one transaction: of several agents on one store, only the first
 * adds it. Returns the stored jobs with their new watermarks.
 */
export function evaluate(db: Db, jobs: ScheduledJob[], now: UnixSeconds) {
  return write(db, 'agent jobs', async (trx) => {
    const stored = new Map((await listJobs(trx)).map((job) => [job.name, job]))
    const open = Map.groupBy(await listOpen(trx), ({ job }) => job)
    for (const job of jobs) {
      const known = stored.get(job.name)
      if (!known || !job.times) continue
      const { on_missed: onMissed, max_late: maxLate, times: schedule } = job
      const decision = decide({ schedule, delayFor: delayFor(job), onMissed, maxLate }, known.watermark, now)
      if (decision.watermark === known.watermark) continue
      await saveWatermark(trx, job.name, decision.watermark)
      known.watermark = decision.watermark
      if (decision.missed) {
        const { from, to, count, reason } = decision.missed
        const detail = `${count ?? `more than ${maxCounted}`} ${reason === 'late' ? 'too late to start' : 'replaced by a later one'}`
        await addOccurrence(trx, {
          job: job.name,
          cause: 'schedule',
          due_at: from,
          until_at: to,
          count: count ?? null,
          state: 'missed',
          late_seconds: 0,
          finished_at: now,
          detail,
        })
      }
      if (decision.due)
        await addDue(trx, job, { ...decision.due, now, isPaused: known.isPaused, open: open.get(job.name) ?? [] })
    }
    await removeHistoryBefore(trx, now - historySeconds)
    return [...stored.values()]
  })
}

interface Due {
  at: UnixSeconds
  lateSeconds: number
  now: UnixSeconds
  isPaused: boolean
  /** Waiting and running occurrences of the job. */
  open: Occurrence[]
}

async function addDue(trx: Db, job: ScheduledJob, { at, lateSeconds, now, isPaused, open }: Due) {
  const occurrence = { job: job.name, cause: 'schedule', due_at: at, late_seconds: lateSeconds } as const
  const skip = (detail: string) => addOccurrence(trx, { ...occurrence, state: 'skipped', finished_at: now, detail })
  if (isPaused) return skip('The job is paused.')
  if (open.length > 0 && job.overlap === 'skip') return skip('The previous occurrence was still running.')
  for (const { id, state, cause } of open) {
    if (state !== 'pending' || cause !== 'schedule') continue
    await endOccurrence(
      trx,
      { id, owner: null },
      { state: 'missed', detail: 'Replaced by a later one in the queue.' },
      now,
    )
  }
  await addOccurrence(trx, { ...occurrence, state: 'pending', detail: null })
}

/**
 * Claims waiting occurrences, at most one per job and `limit` in total. Those of a dead agent wait again, until they are too
 * late or were interrupted too often.
 */
export function claimWaiting(
  db: Db,
  { jobs, owner, limit }: { jobs: Map<string, ScheduledJob>; owner: string; limit: number },
  now: UnixSeconds,
): Promise<Occurrence[]> {
  return write(db, 'agent jobs', async (trx) => {
    const claimed: Occurrence[] = []
    const running = new Set<string>()
    const waiting: Occurrence[] = []
    for (const occurrence of await listOpen(trx)) {
      const { state } = occurrence
      if (state === 'running' && (occurrence.owner === owner || isLeased(occurrence, now))) running.add(occurrence.job)
      else if (state === 'running') {
        await releaseOccurrence(trx, occurrence)
        waiting.push({ ...occurrence, owner: null, state: 'pending' })
      } else waiting.push(occurrence)
    }
    for (const occurrence of waiting) {
      const job = jobs.get(occurrence.job)
      if (running.has(occurrence.job)) continue
      const obstacle = job ? obstacleFor(job, occurrence, now) : orphanEnd(occurrence, now)
      if (obstacle === 'wait') continue
      if (obstacle) await endOccurrence(trx, { id: occurrence.id, owner: null }, obstacle, now)
      else if (claimed.length < limit) {
        await claimOccurrence(trx, occurrence.id, { owner, until: now + leaseSeconds }, now)
        claimed.push({ ...occurrence, owner, state: 'running', started_at: now, attempts: occurrence.attempts + 1 })
        running.add(occurrence.job)
      }
    }
    return claimed
  })
}

/** Ignores a lease too far in the future, which was made before the clock was set back. */
function isLeased({ lease_until }: Occurrence, now: UnixSeconds) {
  return lease_until !== null && lease_until >= now && lease_until <= now + 2 * leaseSeconds
}

/** Another agent on this store may have the job. */
function orphanEnd({ due_at }: Occurrence, now: UnixSeconds) {
  return due_at > now - orphanSeconds ? 'wait' : ({ state: 'missed', detail: 'No agent has this job.' } as const)
}

function obstacleFor(job: ScheduledJob, { attempts, cause, due_at }: Occurrence, now: UnixSeconds) {
  const late = now - due_at - (cause === 'schedule' ? delayFor(job)(due_at) : 0)
  if (attempts >= maxAttempts) return { state: 'failed', detail: `Interrupted ${attempts} times.` } as const
  if (late <= Math.max(job.max_late, graceSeconds)) return undefined
  const detail = `Too late to start: it waited ${formatDuration(late)}.`
  return attempts > 0
    ? ({ state: 'failed', detail: `Interrupted. ${detail}` } as const)
    : ({ state: 'missed', detail } as const)
}
