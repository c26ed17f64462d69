import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Agent, type AgentOptions } from '../../src/agent/agent.ts'
import { systemClock } from '../../src/agent/clock.ts'
import { parseAgentConfig, type ScheduledJob } from '../../src/agent/read-config.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { ReltError } from '../../src/errors.ts'
import { setPaused } from '../../src/store/fleet/agent-job.ts'
import { addOccurrence, listHistory, type OccurrenceEnd } from '../../src/store/fleet/agent-occurrence.ts'

const start = Date.parse('2026-11-22T12:00:00Z') / 1000
const open: Db[] = []

afterEach(async () => {
  for (const db of open.splice(0)) await db.destroy()
})

async function openStore(file = ':memory:'): Promise<Db> {
  const db = await openDatabase(file)
  open.push(db)
  return db
}

const jobsFor = (yaml: string): ScheduledJob[] => parseAgentConfig(yaml, 'agent.yaml', { machine: 'm' }).jobs
const hourly = (more = '') =>
  jobsFor(`jobs:\n  - {name: hourly, schedule: "0 * * * *", time_zone: UTC, profile: prod${more}}`)

const done: OccurrenceEnd = { state: 'done', run_id: 'run_1', score: 90, verdict: null, detail: null }

interface Made {
  agent: Agent
  clock: { seconds: number }
  /** Turns the agent at this many seconds after the start. */
  turnAt: (seconds: number) => Promise<void>
  started: number[]
}

/** An agent on a clock that stands still; without `perform`, everything succeeds at once. */
async function makeAgent(
  db: Db,
  jobs: ScheduledJob[],
  perform: AgentOptions['perform'] = async () => done,
): Promise<Made> {
  const clock = { seconds: start }
  const started: number[] = []
  const agent = new Agent({
    db,
    clock: { now: () => clock.seconds, sleep: async () => {} },
    perform: async (job, occurrence, signal) => {
      started.push(occurrence.due_at - start)
      return perform(job, occurrence, signal)
    },
    onStart: () => {},
    onEnd: () => {},
    onError: (error) => {
      // Work that never ends renews its lease until its process ends, also when its test has ended.
      if (open.includes(db)) throw error
    },
  })
  await agent.configure(jobs)
  const turnAt = async (seconds: number) => {
    clock.seconds = start + seconds
    await agent.turn()
  }
  return { agent, clock, turnAt, started }
}

async function historyFor(db: Db) {
  const all = await listHistory(db, { limit: 100 })
  return all.map(({ due_at, state, detail, count, late_seconds, exit_code }) => ({
    due: due_at - start,
    state,
    ...(detail !== null && { detail }),
    ...(count !== 1 && { count }),
    ...(late_seconds > 0 && { late: late_seconds }),
    ...(exit_code !== null && { exit: exit_code }),
  }))
}

test('a job that is new starts at its next instant, once', async () => {
  const db = await openStore()
  const { agent, turnAt, started } = await makeAgent(db, hourly())
  for (const seconds of [0, 3599, 3600, 3601, 3700]) await turnAt(seconds)
  await agent.settled()
  expect(started).toEqual([3600])
  expect(await historyFor(db)).toEqual([{ due: 3600, state: 'done' }])
})

test('after sleep one occurrence is caught up with, and those before it are missed', async () => {
  const db = await openStore()
  const { agent, turnAt } = await makeAgent(db, hourly())
  await turnAt(5 * 3600 + 1800)
  await agent.settled()
  expect(await historyFor(db)).toEqual([
    { due: 5 * 3600, state: 'done', late: 1800 },
    { due: 3600, state: 'missed', count: 4, detail: '4 replaced by a later one' },
  ])
})

test('a failure has its exit code and the last lines of the scanner', async () => {
  const db = await openStore()
  const { agent, turnAt } = await makeAgent(db, hourly(), async () => {
    throw new ReltError('scan_failed', 'The scanner ended with exit code 1.', { output: ['no route to host'] })
  })
  await turnAt(3600)
  await agent.settled()
  const detail = 'The scanner ended with exit code 1.\nno route to host'
  expect(await historyFor(db)).toEqual([{ due: 3600, state: 'failed', exit: 1, detail }])
})

describe('an occurrence that is due while the one before it runs', () => {
  /** Three hours; each occurrence runs until `finish` is called. */
  async function overlapping(overlap: 'skip' | 'queue') {
    const db = await openStore()
    const finish: (() => void)[] = []
    const made = await makeAgent(
      db,
      hourly(`, overlap: ${overlap}`),
      () => new Promise((resolve) => finish.push(() => resolve(done))),
    )
    for (const hour of [1, 2, 3]) await made.turnAt(hour * 3600)
    finish[0]!()
    await made.agent.settled()
    return { db, finish, ...made }
  }

  test('is skipped by default', async () => {
    const { db, started } = await overlapping('skip')
    expect(started).toEqual([3600])
    const detail = 'The previous occurrence was still running.'
    expect(await historyFor(db)).toEqual([
      { due: 3 * 3600, state: 'skipped', detail },
      { due: 2 * 3600, state: 'skipped', detail },
      { due: 3600, state: 'done' },
    ])
  })

  test('waits in a queue of one where the job says so', async () => {
    const { db, started, agent, turnAt, finish } = await overlapping('queue')
    await turnAt(3 * 3600 + 60)
    finish[1]!()
    await agent.settled()
    expect(started).toEqual([3600, 3 * 3600])
    expect((await historyFor(db)).map(({ state }) => state)).toEqual(['done', 'missed', 'done'])
  })
})

test('a paused job is skipped, and one that is triggered runs', async () => {
  const db = await openStore()
  const { agent, turnAt, started } = await makeAgent(db, hourly())
  await setPaused(db, 'hourly', true)
  await turnAt(3600)
  await addOccurrence(db, {
    ...{ job: 'hourly', cause: 'trigger', due_at: start + 3700, state: 'pending', late_seconds: 0, detail: null },
  })
  await turnAt(3700)
  await agent.settled()
  expect(started).toEqual([3700])
  expect((await historyFor(db)).map(({ state }) => state)).toEqual(['done', 'skipped'])
})

test('a job that is edited while it runs goes on, and its new schedule begins then', async () => {
  const db = await openStore()
  let finish = () => {}
  const { agent, turnAt, started } = await makeAgent(
    db,
    hourly(),
    () => new Promise((resolve) => (finish = () => resolve(done))),
  )
  await turnAt(3600)
  await agent.configure(jobsFor('jobs:\n  - {name: hourly, schedule: "*/10 * * * *", time_zone: UTC, profile: prod}'))
  await turnAt(3660)
  finish()
  await agent.settled()
  await turnAt(4200)
  finish()
  await agent.settled()
  expect(started).toEqual([3600, 4200])
})

describe('two agents on one store', () => {
  async function twoAgents(perform?: AgentOptions['perform']) {
    const file = join(mkdtempSync(join(tmpdir(), 'relt-agents-')), 'relt.db')
    const [one, two] = [await openStore(file), await openStore(file)]
    return { db: one, agents: [await makeAgent(one, hourly(), perform), await makeAgent(two, hourly(), perform)] }
  }

  test('run each occurrence once', async () => {
    const { db, agents } = await twoAgents()
    for (let hour = 1; hour <= 20; hour++) await Promise.all(agents.map(({ turnAt }) => turnAt(hour * 3600)))
    for (const { agent } of agents) await agent.settled()
    const started = agents.flatMap(({ started }) => started)
    expect(started.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, hour) => (hour + 1) * 3600))
    expect((await historyFor(db)).every(({ state }) => state === 'done')).toBe(true)
  })

  test('take over from each other when one disappears, after its lease', async () => {
    let isFirst = true
    const { agents } = await twoAgents(() => {
      const isStuck = isFirst
      isFirst = false
      return isStuck ? new Promise(() => {}) : Promise.resolve(done)
    })
    const [one, two] = agents as [Made, Made]
    await one.turnAt(3600)
    await two.turnAt(3630)
    expect(two.started).toEqual([])
    await two.turnAt(3700)
    expect(two.started).toEqual([3600])
  })
})

test('an occurrence that is interrupted again and again is given up', async () => {
  const db = await openStore()
  for (let attempt = 0; attempt < 5; attempt++) {
    const { turnAt } = await makeAgent(db, hourly(), () => new Promise(() => {}))
    await turnAt(3600 + attempt * 120)
  }
  expect(await historyFor(db)).toEqual([{ due: 3600, state: 'failed', detail: 'Interrupted 3 times.' }])
})

test('stopping waits for what runs, and then hands it over', async () => {
  const db = await openStore()
  const { agent, turnAt } = await makeAgent(
    db,
    hourly(),
    (_job, _occurrence, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new ReltError('cancelled', 'Cancelled.')))
      }),
  )
  await turnAt(3600)
  await agent.stop(10)
  expect(await historyFor(db)).toEqual([{ due: 3600, state: 'pending' }])
  const next = await makeAgent(db, hourly())
  await next.turnAt(3700)
  await next.agent.settled()
  expect(await historyFor(db)).toEqual([{ due: 3600, state: 'done' }])
})

test('idle turns write nothing', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'relt-agents-')), 'relt.db')
  const db = await openStore(file)
  const { turnAt } = await makeAgent(db, hourly())
  await turnAt(0)
  const { statSync } = await import('node:fs')
  const before = statSync(`${file}-wal`).mtimeMs
  for (let second = 1; second < 600; second += 2) await turnAt(second)
  expect(statSync(`${file}-wal`).mtimeMs).toBe(before)
})

test('long pauses that begin at different times end at the same', async () => {
  vi.useFakeTimers({ now: 10_300 })
  onTestFinished(() => void vi.useRealTimers())
  const { sleep } = systemClock(() => 0)
  const { signal } = new AbortController()
  const ends: number[] = []
  const note = (ms: number) => sleep(ms, signal).then(() => ends.push(Date.now()))
  const pauses = [note(2000), note(50)]
  await vi.advanceTimersByTimeAsync(600)
  pauses.push(note(2000))
  await vi.advanceTimersByTimeAsync(5000)
  await Promise.all(pauses)
  expect(ends).toEqual([10_350, 13_000, 13_000])
})
