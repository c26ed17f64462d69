import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { parseAgentConfig } from '../../src/agent/read-config.ts'
import { dataFolder } from '../../src/config/env.ts'
import { openDatabase } from '../../src/db/open.ts'
import { addOccurrence, listOpen } from '../../src/store/fleet/agent-occurrence.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { openMemoryStore } from '../helpers/memory-store.ts'
import { reltFile, start } from '../helpers/process.ts'
import { isRunning, makePrograms } from '../helpers/programs.ts'
import { exampleFile } from '../helpers/report.ts'

const hour = 3_600_000
/** As it is installed: the source takes more memory. */
const builtFile = fileURLToPath(new URL('../../bin/relt.js', import.meta.url))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('memory and handles stay the same over 90 days with a job each minute', { timeout: 2 * hour }, async () => {
  // SQLite's memory is not in the heap that is measured, and a file would cost an fsync for each of 500,000 changes.
  const db = await openMemoryStore()
  onTestFinished(() => db.destroy())
  const { jobs } = parseAgentConfig('jobs:\n  - {name: a, profile: p, every: 1m}', 'agent.yaml', { machine: 'm' })
  let seconds = Date.parse('2026-01-01T00:00:00Z') / 1000
  let count = 0
  const agent = new Agent({
    db,
    clock: { now: () => seconds, sleep: async () => {} },
    perform: async () => {
      count++
      return { state: 'done', detail: null }
    },
    onStart: () => {},
    onEnd: () => {},
    onError: (error) => {
      throw error
    },
  })
  await agent.configure(jobs)
  const heapOf = () => {
    for (let turn = 0; turn < 3; turn++) collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const run = async (days: number) => {
    for (let minute = 0; minute < days * 1440; minute++) {
      seconds += 60
      await agent.turn()
      await agent.settled()
    }
    return { heap: heapOf(), handles: process.getActiveResourcesInfo().length }
  }
  const first = await run(10)
  const last = await run(80)
  console.log({ first, last })
  expect(count).toBeGreaterThanOrEqual(90 * 1440 - 1)
  expect(last.handles).toBeLessThanOrEqual(first.handles + 2)
  expect(last.heap).toBeLessThan(first.heap * 1.2)
})

/** An agent in a process of its own, with one job that is not due. */
async function startAgent(behaviour: string, program = reltFile) {
  const home = temporaryFolder()
  const fake = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: exampleFile(1), FAKE_SCAN: behaviour })
  const env = { RELT_HOME: home, ...fake.env }
  await runCli(['profiles', 'create', 'prod', '--provider', 'kubernetes'], { home, env: fake.env })
  const file = join(home, 'agent.yaml')
  writeFileSync(
    file,
    'jobs:\n  - {name: nightly, schedule: "0 3 1 1 *", time_zone: Europe/Berlin, profile: prod, server: local}\n',
  )
  const { child, finished } = start(program, ['agent', 'run', '--config', file], env)
  onTestFinished(() => void child.kill('SIGKILL'))
  let log = ''
  child.stderr?.on('data', (text: string) => {
    log += text
  })
  await expect.poll(() => log).toContain('agent started')
  return { child, finished, fake, store: join(dataFolder(env), 'relt.db') }
}

test('SIGTERM ends the agent, with a scanner that ignores it', { timeout: 300_000 }, async () => {
  const { child, finished, fake, store } = await startAgent('stubborn')
  const db = await openDatabase(store)
  onTestFinished(() => db.destroy())
  const due_at = Math.floor(Date.now() / 1000)
  await addOccurrence(db, {
    ...{ job: 'nightly', cause: 'trigger', due_at, state: 'pending', late_seconds: 0, detail: null },
  })
  await expect.poll(() => fake.pids().length).toBe(2)
  child.kill('SIGTERM')
  expect(await finished).toMatchObject({ code: 0 })
  expect(fake.pids().filter(isRunning)).toEqual([])
  expect(await listOpen(db)).toMatchObject([{ job: 'nightly', state: 'pending', owner: null }])
})

/** Ten minutes as is; `RELT_IDLE_SECONDS` shortens it. */
const idleSeconds = Number(process.env.RELT_IDLE_SECONDS ?? 600)

test('an idle agent takes 80 MB, and writes nothing', { timeout: hour }, async () => {
  expect(existsSync(builtFile), 'run npm run build first').toBe(true)
  const { child } = await startAgent('success', builtFile)
  const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  // The first turns load what is needed later, and then memory is released.
  await wait(30)
  const read = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'utf8')
  const written = () => Number(/^write_bytes: (\d+)/m.exec(read('io'))![1])
  const before = written()
  await wait(idleSeconds)
  const rssMb = Number(/^Rss:\s+(\d+)/m.exec(read('smaps_rollup'))![1]) / 1024
  console.log({ idleSeconds, rssMb, written: written() - before })
  expect(written()).toBe(before)
  expect(rssMb).toBeLessThanOrEqual(80)
})
