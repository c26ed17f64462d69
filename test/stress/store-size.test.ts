import { closeSync, copyFileSync, fsyncSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'
import { start } from '../helpers/process.ts'
import { smallReports, uploadAll } from '../helpers/small-store.ts'

const writerFile = fileURLToPath(new URL('../helpers/timed-writer.ts', import.meta.url))
const writers = 8

/** A store of 1 GB in 100,000 pieces. Only few of them open: nothing here opens them. */
async function makeLargeStore(): Promise<{ home: string; file: string }> {
  const home = temporaryFolder()
  await uploadAll(home, smallReports.slice(0, 1))
  const file = join(home, 'relt.db')
  const db = new DatabaseSync(file)
  db.exec(`pragma synchronous = off;
    with recursive n(i) as (select 1000 union all select i + 1 from n where i < 101000)
    insert into run_part (run_id, kind, part, key_id, sealed)
    select run_id, 'details', i, key_id, randomblob(10000) from n, (select * from run_part where kind = 'context')`)
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
  expect(statSync(file).size).toBeGreaterThan(1e9)
  return { home, file }
}

/** Together about seventy uploads a second, which two cores can do beside a backup. */
const pauseMs = 100

/** Latencies of uploads by several processes while the work is done, or for a while. */
async function latencies(
  home: string,
  work: () => Promise<unknown>,
  pause = pauseMs,
): Promise<{ p99: number; count: number }> {
  const env = { RELT_HOME: home }
  const started = Array.from({ length: writers }, (_, i) => start(writerFile, [`${i}-${Date.now()}`, `${pause}`], env))
  const times: number[] = []
  let isMeasured = false
  for (const { child } of started) {
    child.stdout?.on('data', (text: string) => isMeasured && times.push(...text.trim().split('\n').map(Number)))
  }
  await Promise.all(started.map(({ child }) => new Promise((resolve) => child.stdout?.once('data', resolve))))
  isMeasured = true
  await work()
  isMeasured = false
  for (const { child } of started) child.kill('SIGKILL')
  await Promise.all(started.map(({ finished }) => finished))
  times.sort((a, b) => a - b)
  return { p99: times[Math.floor(times.length * 0.99)]!, count: times.length }
}

/** How long the disk takes for as many bytes. The copy stays: freeing its blocks would hold up the next writers. */
function copyMs(file: string): number {
  const copy = `${file}.copy`
  const began = performance.now()
  copyFileSync(file, copy)
  const handle = openSync(copy, 'r+')
  fsyncSync(handle)
  closeSync(handle)
  return performance.now() - began
}

test('1 GB is backed up while 8 processes write, which hardly notice, and the master key is rotated at once', async () => {
  const { home, file } = await makeLargeStore()
  const admin = await openAdmin({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
  const store = await admin.store()

  const began = performance.now()
  await store.rotateMasterKey()
  const rotateMs = performance.now() - began

  const idle = await latencies(home, () => sleep(5000))
  const baseMs = copyMs(file)
  const backups: number[] = []
  const backUp = async () => {
    const began = performance.now()
    await store.backUp(join(home, `backup-${backups.length}.db`))
    backups.push(performance.now() - began)
  }
  // A single backup lasts for about a hundred writes, and the slowest of a hundred is chance.
  const during = await latencies(home, async () => {
    for (let i = 0; i < 3; i++) await backUp()
  })
  // The others may have to wait for memory that the kernel finds for so many pages.
  const backupMs = Math.min(...backups)
  // Writers that never pause leave a backup the share of the cores that the system gives it: only for the record.
  const saturated = await latencies(home, backUp, 0)
  console.log(JSON.stringify({ rotateMs, baseMs, backups, idle, during, saturated }))
  expect(rotateMs).toBeLessThan(1000)
  expect(during.count).toBeGreaterThan(0)
  expect(backupMs).toBeLessThanOrEqual(3000)
  expect(during.p99).toBeLessThanOrEqual(2 * idle.p99)
  expect(await runCli(['admin', 'master-key', 'status'], { home })).toMatchObject({ code: 0 })
  await admin.close()
})
