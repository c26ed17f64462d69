import { closeSync, copyFileSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openAdmin } from '../src/admin/admin.ts'
import { makeLargeStore } from '../test/helpers/large-store.ts'
import { start } from '../test/helpers/process.ts'
import { type Figure, inFolder } from './measure.ts'

const writerFile = fileURLToPath(new URL('../test/helpers/timed-writer.ts', import.meta.url))
const writers = 8
/** Together about seventy uploads a second, which two cores can do beside a backup. */
const pauseMs = 100

/** A store of 1 GB is backed up in little more time than its file is copied, and other processes hardly notice. */
export function backup(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const home = join(folder, 'home')
    const file = await makeLargeStore(home)
    const admin = await openAdmin({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => 1_790_000_000 })
    const store = await admin.store()
    const idle = await slowestUpload(home, () => sleep(5000))
    const copyMs = copyOf(file)
    const times: number[] = []
    // A single backup lasts for about a hundred writes, and the slowest of a hundred is chance.
    const during = await slowestUpload(home, async () => {
      for (let i = 0; i < 3; i++) {
        const began = performance.now()
        await store.backUp(join(home, `backup-${i}.db`))
        times.push(performance.now() - began)
      }
    })
    await admin.close()
    // The others may have to wait for memory that the kernel finds for so many pages.
    const backupMs = Math.min(...times)
    return [
      { name: 'backup of 1 GB / copy of its file', ours: backupMs, base: copyMs, unit: 'ms' },
      { name: 'p99 of uploads, during a backup / before', ours: during, base: idle, unit: 'ms' },
    ]
  })
}

/** How long an upload of the slowest hundredth takes while the work is done, with several processes that upload. */
async function slowestUpload(home: string, work: () => Promise<unknown>): Promise<number> {
  const started = Array.from({ length: writers }, (_, i) =>
    start(writerFile, [`${i}-${Date.now()}`, `${pauseMs}`], { RELT_HOME: home }),
  )
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
  return times[Math.floor(times.length * 0.99)]!
}

/** How long the disk takes for as many bytes. The copy stays: freeing its blocks would hold up the next writers. */
function copyOf(file: string): number {
  const copy = `${file}.copy`
  const began = performance.now()
  copyFileSync(file, copy)
  const handle = openSync(copy, 'r+')
  fsyncSync(handle)
  closeSync(handle)
  return performance.now() - began
}
