import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dataFolder } from '../../src/config/env.ts'
import { openDatabase } from '../../src/db/open.ts'
import { getCatalogDate } from '../../src/operations/catalog/bundled.ts'
import { addOccurrence, listHistory, listOpen } from '../../src/store/fleet/agent-occurrence.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { distinctReport } from '../helpers/distinct-report.ts'
import { freePort } from '../helpers/free-port.ts'
import { findPidNamespace, reltFile, start } from '../helpers/process.ts'
import { isRunning, makePrograms } from '../helpers/programs.ts'
import { exampleFile } from '../helpers/report.ts'
import { laterBundle, laterDay, newKey, publish, signed } from '../operations/catalog/publisher.ts'

/** An agent in a process of its own, whose scanner behaves as said. */
async function startAgent(behaviour: string, more: Record<string, string> = {}) {
  const home = temporaryFolder()
  const fake = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: exampleFile(1), FAKE_SCAN: behaviour })
  const env = { RELT_HOME: home, ...fake.env, ...more }
  await runCli(['profiles', 'create', 'prod', '--provider', 'kubernetes'], { home, env: fake.env })
  const port = await freePort()
  const file = join(home, 'agent.yaml')
  const job = '{name: nightly, every: 300d, profile: prod, server: local}'
  const config = (more = '') => `health_port: ${port}\njobs:\n  - ${job}\n${more}`
  writeFileSync(file, config())
  const { child, finished } = start(reltFile, ['agent', 'run', '--config', file], env)
  onTestFinished(() => void child.kill('SIGKILL'))
  let log = ''
  child.stderr?.on('data', (text: string) => {
    log += text
  })
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    return response ? { status: response.status, text: await response.text() } : { status: 0, text: '' }
  }
  await expect.poll(() => ask('/readyz')).toEqual({ status: 200, text: 'ok\n' })
  const db = await openDatabase(join(dataFolder(env), 'relt.db'))
  onTestFinished(() => db.destroy())
  const trigger = () => {
    const due_at = Math.floor(Date.now() / 1000)
    const row = { cause: 'trigger', due_at, state: 'pending', late_seconds: 0, detail: null } as const
    return addOccurrence(db, { job: 'nightly', ...row })
  }
  return { child, finished, home, file, config, ask, db, trigger, fake, logged: () => log }
}

test('a signal reloads the file, a bad file leaves the former one, and health says so', async () => {
  const { child, finished, file, config, ask, logged } = await startAgent('success')
  expect((await ask('/healthz')).status).toBe(200)
  expect((await ask('/other')).status).toBe(404)

  writeFileSync(file, config('  - {name: second, every: 1m}\n'))
  await expect.poll(async () => (await ask('/readyz')).status).toBe(503)
  expect((await ask('/readyz')).text).toMatch(/^Configuration: .*agent\.yaml/)
  expect(logged()).toContain('the former one stays')

  writeFileSync(file, config('  - {name: second, every: 300d, profile: prod}\n'))
  child.kill('SIGHUP')
  await expect.poll(() => ask('/readyz')).toEqual({ status: 200, text: 'ok\n' })
  expect(logged()).toMatch(/"jobs":2.*configuration read again/)
  child.kill('SIGTERM')
  expect(await finished).toMatchObject({ code: 0 })
})

test('a probe answers by its exit code, without the port and without the jobs', async () => {
  const { child, finished, home } = await startAgent('success')
  const probe = async () => {
    const { code, stdout, stderr } = await start(reltFile, ['agent', 'status', '--probe'], { RELT_HOME: home }).finished
    return { code, said: stdout + stderr }
  }
  // An agent that nobody asks writes nothing.
  const answer = join(dataFolder({ RELT_HOME: home }), 'agent', 'alive')
  expect(existsSync(answer)).toBe(false)
  await expect.poll(probe).toEqual({ code: 0, said: '' })
  expect(existsSync(answer)).toBe(true)
  child.kill('SIGSTOP')
  expect(await probe()).toMatchObject({ code: 1, said: expect.stringContaining('The loop of the agent has stopped.') })
  child.kill('SIGCONT')
  child.kill('SIGTERM')
  expect(await finished).toMatchObject({ code: 0 })
  expect(await probe()).toMatchObject({ code: 1, said: expect.stringContaining('No agent is running.') })
})

test('stopping at once hands a job over and leaves no process of its scanner', async () => {
  const { child, finished, ask, db, trigger, fake, logged } = await startAgent('stubborn')
  await trigger()
  await expect.poll(() => fake.pids().length).toBe(2)
  expect((await ask('/metrics')).text).toContain('relt_agent_running 1\n')
  expect(logged()).toContain('job started')
  child.kill('SIGTERM')
  // A second one of the same kind could become one with the first.
  child.kill('SIGINT')
  expect(await finished).toMatchObject({ code: 0 })
  await expect.poll(() => fake.pids().filter(isRunning)).toEqual([])
  expect(await listOpen(db)).toMatchObject([{ job: 'nightly', state: 'pending', owner: null }])
})

test('a job that ends is a success in metrics and history', async () => {
  const { child, finished, ask, trigger, db } = await startAgent('success')
  await trigger()
  await expect.poll(() => listHistory(db, { limit: 1 })).toMatchObject([{ state: 'done' }])
  const { text } = await ask('/metrics')
  expect(text).toContain('relt_agent_occurrences{job="nightly",outcome="done"} 1\n')
  expect(text).toMatch(/relt_agent_last_success_timestamp_seconds\{job="nightly"\} \d{10}\n/)
  expect(text).toContain('relt_agent_uploads_waiting 0\n')
  child.kill('SIGTERM')
  expect(await finished).toMatchObject({ code: 0 })
})

test('an agent pulls the published catalog when an address is set', async () => {
  const key = newKey()
  const { address } = await publish(await signed(laterBundle(), key))
  const env = { RELT_CATALOG_URL: address, RELT_CATALOG_KEY: key.publicKey }
  const { child, finished, db, logged } = await startAgent('success', env)
  await expect.poll(logged).toMatch(/"isNew":true.*"pulled the catalog"/)
  expect(await getCatalogDate(db, 0)).toBe(laterDay)
  child.kill('SIGTERM')
  expect(await finished).toMatchObject({ code: 0 })
})

test('two agents on one store and folder, in namespaces of process ids, do everything once', async ({ skip }) => {
  const namespace = findPidNamespace()
  if (!namespace) return skip('unshare is not allowed here')
  const home = temporaryFolder()
  const fake = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: exampleFile(1), FAKE_SCAN: 'success' })
  const env = { RELT_HOME: home, ...fake.env }
  await runCli(['profiles', 'create', 'prod', '--provider', 'kubernetes'], { home, env: fake.env })
  const folder = join(home, 'drop')
  mkdirSync(folder)
  const file = join(home, 'agent.yaml')
  const scans = ['a', 'b', 'c'].map((name) => `  - {name: ${name}, every: 300d, profile: prod, cluster: ${name}}\n`)
  writeFileSync(file, `jobs:\n  - {name: drop, watch: {folder: ${folder}}}\n${scans.join('')}`)
  const agents = [namespace, namespace].map((within) => {
    const { child, finished } = start(reltFile, ['agent', 'run', '--config', file], env, within)
    onTestFinished(() => void child.kill('SIGKILL'))
    let log = ''
    child.stderr?.on('data', (text: string) => {
      log += text
    })
    return { child, finished, started: () => expect.poll(() => log).toContain('agent started') }
  })
  await Promise.all(agents.map(({ started }) => started()))
  const db = await openDatabase(join(dataFolder(env), 'relt.db'))
  onTestFinished(() => db.destroy())
  const reports = Array.from({ length: 10 }, (_, number) => {
    const report = { cluster: { name: `c-${number}` }, report: distinctReport(number, 2) }
    writeFileSync(join(folder, `report-${number}.json`), JSON.stringify(report))
    return `c-${number}`
  })
  const due_at = Math.floor(Date.now() / 1000)
  for (const job of ['a', 'b', 'c']) {
    await addOccurrence(db, { job, cause: 'trigger', due_at, state: 'pending', late_seconds: 0, detail: null })
  }
  const ended = async () => (await listHistory(db, { limit: 100 })).filter(({ state }) => state !== 'pending')
  await expect.poll(async () => (await ended()).filter(({ state }) => state === 'done').length).toBe(13)
  expect(await listOpen(db)).toEqual([])
  expect(await ended()).toHaveLength(13)
  expect(fake.calls()).toHaveLength(3)
  const runs = await db.selectFrom('run').innerJoin('cluster', 'cluster.id', 'run.cluster_id').select('name').execute()
  expect(runs.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', ...reports])
  for (const { child } of agents) child.kill('SIGKILL')
  await Promise.all(agents.map(({ finished }) => finished))
})
