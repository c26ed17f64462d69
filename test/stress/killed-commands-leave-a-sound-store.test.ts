import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { reltFile, start } from '../helpers/process.ts'
import { smallReport, uploadAll } from '../helpers/small-store.ts'

/** Of each command. */
const kills = 15

/** How long the command takes when nobody kills it, process and all. */
async function timeOf(argv: string[], env: Record<string, string>): Promise<number> {
  const began = performance.now()
  expect(await start(reltFile, argv, env).finished).toMatchObject({ code: 0 })
  return performance.now() - began
}

/** Kills the command at a moment spread over its run; whether it came to its end is no matter. */
async function kill(argv: string[], env: Record<string, string>, afterMs: number): Promise<void> {
  const { child, finished } = start(reltFile, argv, env)
  await sleep(afterMs)
  child.kill('SIGKILL')
  await finished
}

const moments = (wholeMs: number) => Array.from({ length: kills }, (_, i) => ((i + 0.5) / kills) * wholeMs * 1.5)

function toChecks(count: number) {
  const item = (i: number) => ({
    Namespace: 'shop',
    Resource: `deployment/app-${i}`,
    Message: `app-${i} has no limits`,
  })
  return { WRK005: { severity: 'warning', items: Array.from({ length: count }, (_, i) => item(i)) } }
}

/** A store with runs of some size, so that commands take their time. */
async function makeStore(home: string): Promise<void> {
  const days = Array.from({ length: 20 }, (_, i) => `2026-08-${String(i + 1).padStart(2, '0')}T06:00:00Z`)
  await uploadAll(
    home,
    days.map((day) => smallReport(day, 50, toChecks(2000))),
  )
}

const sound = (home: string, argv: string[] = [], env: Record<string, string> = {}) =>
  runCli(['admin', 'verify', ...argv], { home, env })

test('a killed backup leaves the earlier one or a sound new one', async () => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  await makeStore(home)
  const file = join(folder, 'backup.db')
  const env = { RELT_HOME: home }
  const wholeMs = await timeOf(['admin', 'backup', file, '--force'], env)
  for (const afterMs of moments(wholeMs)) {
    await kill(['admin', 'backup', file, '--force'], env, afterMs)
    expect(await sound(home, [file])).toMatchObject({ code: 0 })
    expect(await sound(home)).toMatchObject({ code: 0 })
  }
  expect(await runCli(['admin', 'backup', file, '--force'], { home })).toMatchObject({ code: 0 })
  expect(readdirSync(folder).sort()).toEqual(['backup.db', 'home'])
})

test('a killed restore leaves no store or a sound one', async () => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  await makeStore(home)
  const file = join(folder, 'backup.db')
  await runCli(['admin', 'backup', file], { home })
  const target = join(folder, 'target')
  const argv = ['admin', 'restore', file, '--data', target]
  const env = { RELT_HOME: home }
  const wholeMs = await timeOf(argv, env)
  for (const afterMs of moments(wholeMs)) {
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target)
    copyFileSync(join(home, 'master.key'), join(target, 'master.key'))
    await kill(argv, env, afterMs)
    const before = existsSync(join(target, 'relt.db'))
    if (!before) expect(await runCli(argv, { home })).toMatchObject({ code: 0 })
    expect(await sound(target)).toMatchObject({ code: 0, stdout: expect.stringContaining('20 runs') })
  }
})

test('a killed rotation leaves one key that opens the store', async () => {
  const home = temporaryFolder()
  await makeStore(home)
  const env = { RELT_HOME: home }
  const argv = ['admin', 'master-key', 'rotate']
  const wholeMs = await timeOf(argv, env)
  const ids = new Set<string>()
  for (const afterMs of moments(wholeMs)) {
    await kill(argv, env, afterMs)
    const status = JSON.parse((await runCli(['admin', 'master-key', 'status', '--json'], { home })).stdout)
    expect(status.master_key).toMatchObject({ available: true })
    ids.add(status.master_key.id)
    expect(await sound(home)).toMatchObject({ code: 0 })
  }
  expect(ids.size).toBeGreaterThan(1)
  expect(await runCli(argv, { home })).toMatchObject({ code: 0 })
  expect(readdirSync(home).filter((name) => name.startsWith('master.key'))).toEqual(['master.key'])
})

test('a killed re-encryption leaves all open, and the next one completes it, while others upload', async () => {
  const home = temporaryFolder()
  await makeStore(home)
  const env = { RELT_HOME: home }
  const argv = ['admin', 'master-key', 'reencrypt']
  const wholeMs = await timeOf(argv, env)
  for (const [i, afterMs] of moments(wholeMs).entries()) {
    const upload = uploadAll(home, [smallReport(`2026-08-31T${String(i).padStart(2, '0')}:00:00Z`, 50, toChecks(3))])
    await Promise.all([kill(argv, env, afterMs), upload])
    expect(await sound(home)).toMatchObject({ code: 0 })
  }
  expect(await runCli(argv, { home })).toMatchObject({ code: 0 })
  expect(await sound(home)).toMatchObject({ code: 0, stdout: expect.stringContaining(`${20 + kills} runs`) })
  const { data_keys: keys } = JSON.parse((await runCli(['admin', 'master-key', 'status', '--json'], { home })).stdout)
  expect(keys.filter((key: { purpose: string }) => key.purpose === 'seal')).toHaveLength(1)
})
