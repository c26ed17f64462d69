import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'
import { makeLargeStore } from '../helpers/large-store.ts'
import { start } from '../helpers/process.ts'

const writerFile = fileURLToPath(new URL('../helpers/timed-writer.ts', import.meta.url))
const writers = 8

/** Processes that upload ten times a second. `count` is the number of reports that are stored. */
async function startWriters(home: string): Promise<{ count: () => number }> {
  let count = 0
  const started = Array.from({ length: writers }, (_, i) => start(writerFile, [`${i}`, '100'], { RELT_HOME: home }))
  onTestFinished(async () => {
    for (const { child } of started) child.kill('SIGKILL')
    await Promise.all(started.map(({ finished }) => finished))
  })
  for (const { child } of started) {
    child.stdout?.on('data', (text: string) => {
      count += text.trim().split('\n').length
    })
  }
  await Promise.all(started.map(({ child }) => new Promise((resolve) => child.stdout?.once('data', resolve))))
  return { count: () => count }
}

test('the master key of 1 GB is rotated without writing it again, and it is backed up while 8 processes write', async () => {
  const home = temporaryFolder()
  const file = await makeLargeStore(home)
  const admin = await openAdmin({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
  const store = await admin.store()
  const written = () => (existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0)

  const before = written()
  await store.rotateMasterKey()
  expect(written() - before).toBeLessThan(1_000_000)

  const { count } = await startWriters(home)
  const counted = count()
  const backup = join(home, 'backup.db')
  await store.backUp(backup)
  // Each writer has stored reports meanwhile.
  expect(count() - counted).toBeGreaterThan(writers)
  const db = new DatabaseSync(backup, { readOnly: true })
  expect(db.prepare('pragma quick_check').get()).toEqual({ quick_check: 'ok' })
  expect(db.prepare('select count(*) as parts from run_part').get()!.parts).toBeGreaterThan(100_000)
  db.close()
  expect(await runCli(['admin', 'master-key', 'status'], { home })).toMatchObject({ code: 0 })
  await admin.close()
})
