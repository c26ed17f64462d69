import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { generateReport } from '../../bench/generate-report.ts'
import { createLocalClient } from '../../src/client/local.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { runAsAdministrator } from '../helpers/postgres.ts'
import { reltFile, start } from '../helpers/process.ts'

const server = inject('postgres')!
const runs = Number(process.env.RELT_STRESS_RUNS ?? 1000)
const clusters = 10
const findings = 1000
const kills = 10

const env = { PGPASSWORD: 'relt', RELT_KEYCHAIN: 'off', RELT_MASTER_KEY: '7'.repeat(64) }

async function makeStore(home: string): Promise<void> {
  const client = await createLocalClient({ env: { ...env, RELT_HOME: home }, now: () => 1_800_000_000 })
  for (let run = 0; run < runs; run++) {
    const generatedAt = new Date(1_790_000_000_000 + run * 3_600_000).toISOString()
    const report = Buffer.from(JSON.stringify(generateReport({ findings, changed: (run % 50) / 50, generatedAt })))
    const cluster = { name: `cluster-${run % clusters}`, environment: 'prod' }
    await client.call('uploadReport', { body: { cluster }, report })
  }
  await client.close()
}

async function newDatabase(name: string): Promise<string> {
  await runAsAdministrator(server, `create database ${name} encoding 'UTF8' template template0`)
  return `postgres://${server.user}@${server.host}:${server.port}/${name}`
}

async function tablesIn(database: string): Promise<number> {
  const client = new pg.Client({ ...server, database })
  await client.connect()
  const { rows } = await client.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`)
  await client.end()
  return rows.length
}

const copy = (from: string, to: string) =>
  start(reltFile, ['admin', 'store', 'copy', '--to', to, '--json'], { ...env, RELT_HOME: from })

const toHash = (home: string) =>
  createHash('sha256')
    .update(readFileSync(join(home, 'relt.db')))
    .digest('hex')

test.skipIf(!server)(
  '1,000 runs of 1,000 findings are copied whole, also after copies that were killed',
  { timeout: 1_800_000 },
  async () => {
    const home = temporaryFolder()
    await makeStore(home)
    const before = toHash(home)
    const url = await newDatabase('stress_copy')
    const begun = performance.now()
    const there = await copy(home, url).finished
    const ms = performance.now() - begun
    expect(there).toMatchObject({ code: 0 })
    const first = JSON.parse(there.stdout)
    expect(first.tables).toContainEqual({ table: 'run_finding', rows: runs })
    console.log(JSON.stringify({ ms, rows: first.rows }))

    const empty = await newDatabase('stress_killed')
    for (let kill = 0; kill < kills; kill++) {
      const { child, finished } = copy(home, empty)
      // In the first half, because other work of the machine may have slowed the copy that was timed.
      await sleep(ms * (0.1 + (0.4 * kill) / kills))
      child.kill('SIGKILL')
      expect((await finished).signal).toBe('SIGKILL')
      await expect.poll(() => tablesIn('stress_killed')).toBe(0)
    }
    expect(toHash(home)).toBe(before)
    const copied = await copy(home, empty).finished
    expect(copied).toMatchObject({ code: 0 })
    expect(JSON.parse(copied.stdout).tables).toEqual(first.tables)
    const argv = ['admin', 'verify', '--data', empty, '--json']
    expect(await start(reltFile, argv, { ...env, RELT_HOME: home }).finished).toMatchObject({ code: 0 })
  },
)
