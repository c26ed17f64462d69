import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import { openDatabase } from '../../src/db/open.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { createKey } from '../helpers/create-key.ts'
import { distinctReport } from '../helpers/distinct-report.ts'
import { canMount, mountedFolder } from '../helpers/mount.ts'
import { ServerProcess } from '../helpers/server-process.ts'
import { basic } from '../server/http.ts'

const uploads = 300

test.skipIf(!canMount())('uploads survive kills, a full disk and a lock that is held for 30 s', async () => {
  const home = mountedFolder(6)
  const store = {
    env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' },
    now: () => Math.floor(Date.now() / 1000),
  }
  const admin = await openAdmin(store)
  await admin.addUser({ login: 'ada', role: 'user', plan: 'pro_plus' })
  const password = await createKey(store, 'ada')
  await admin.close()
  const server = new ServerProcess(home)
  await server.start()
  const health = watchHealth(server)

  let answersWhileLocked = 0
  const answered = new Set<string>()
  const statuses: Record<number, number> = {}
  const headers = { authorization: basic('ada', password), 'content-type': 'application/json' }
  const upload = async (number: number) => {
    const body = JSON.stringify({ report: distinctReport(number, 300) })
    try {
      const response = await fetch(`${server.url}/cluster-reports`, { method: 'POST', headers, body })
      const { run_id } = (await response.json()) as { run_id?: string }
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      if (run_id) answered.add(run_id)
    } catch {
      await wait(100)
    }
  }
  const lock = new DatabaseSync(join(home, 'relt.db'), { timeout: 10_000 })
  for (let number = 0; number < uploads; number += 4) {
    if (number === 100) {
      lock.exec('begin immediate')
      const before = health.answers()
      setTimeout(() => {
        answersWhileLocked = health.answers() - before
        lock.exec('rollback')
      }, 30_000)
    }
    if ([40, 140, 240].includes(number)) {
      const running = Promise.all([0, 1, 2, 3].map((more) => upload(number + more)))
      await wait(20)
      await server.restart()
      await running
      continue
    }
    await Promise.all([0, 1, 2, 3].map((more) => upload(number + more)))
  }
  await health.stop()
  await server.kill()
  lock.close()

  // The full disk has no room for what opening the store writes.
  const copy = temporaryFolder()
  for (const name of ['relt.db', 'relt.db-wal']) {
    if (existsSync(join(home, name))) copyFileSync(join(home, name), join(copy, name))
  }
  const db = await openDatabase(join(copy, 'relt.db'))
  const runs = await db.selectFrom('run').select('run_id').execute()
  const audit = await db.selectFrom('audit').select('subject').where('action', '=', 'report.upload').execute()
  await db.destroy()
  const [stored, audited] = [new Set(runs.map((run) => run.run_id)), new Set(audit.map((entry) => entry.subject))]
  expect([...answered].filter((id) => !stored.has(id))).toEqual([])
  expect([...stored].filter((id) => !audited.has(id))).toEqual([])
  // One that waits for the store has one answer at most.
  expect(answersWhileLocked).toBeGreaterThan(100)
  expect(statuses).toMatchObject({ 201: expect.any(Number), 503: expect.any(Number), 507: expect.any(Number) })
})

/** Asks `/healthz` fifty times a second, and counts the answers. */
function watchHealth(server: ServerProcess) {
  let isWatching = true
  let count = 0
  const watching = (async () => {
    while (isWatching) {
      const answer = await fetch(new URL('/healthz', server.url)).catch(() => undefined)
      if (answer?.ok) count++
      await wait(20)
    }
  })()
  return {
    answers: () => count,
    stop: async () => {
      isWatching = false
      await watching
    },
  }
}
