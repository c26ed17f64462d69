import { expect, onTestFinished, test } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { createKey } from '../helpers/create-key.ts'
import { distinctReport } from '../helpers/distinct-report.ts'
import { ServerProcess } from '../helpers/server-process.ts'
import { basic } from '../server/http.ts'
import { closesUnread } from '../server/socket.ts'

const users = 5

/** A report of 39 MB with as many findings as there may be, and two of a fifth, which are compared. */
const reports = [distinctReport(1, 200_000), distinctReport(2, 40_000), distinctReport(3, 40_000)]

async function openWorld() {
  const home = temporaryFolder()
  const store = { env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => 1_790_000_000 }
  const admin = await openAdmin(store)
  const keys: string[] = []
  for (let i = 0; i < users; i++) {
    await admin.addUser({ login: `user-${i}`, role: 'user', plan: 'pro' })
    keys.push(basic(`user-${i}`, await createKey(store, `user-${i}`)))
  }
  await admin.close()
  const server = new ServerProcess(home)
  await server.start()
  onTestFinished(() => server.kill())
  const runs: string[][] = []
  for (const authorization of keys) {
    const own: string[] = []
    for (const report of reports) {
      const body = JSON.stringify({ report })
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}/cluster-reports`, { method: 'POST', headers, body })
      expect(answer.status).toBe(201)
      own.push(((await answer.json()) as { run_id: string }).run_id)
    }
    runs.push(own)
  }
  // The next process has not read reports.
  await server.restart()
  return { server, keys, runs }
}

test.skipIf(process.platform !== 'linux').each([
  ['stored reports', ([large]: string[]) => `/cluster-reports/${large}?include_report=true`],
  ['comparisons', ([, from, to]: string[]) => `/cluster-reports/compare?from_run_id=${from}&to_run_id=${to}`],
])('100 unread answers of five users with 39 MB reports are closed: %s', async (_, toPath) => {
  const { server, keys, runs } = await openWorld()
  const port = Number(new URL(server.url).port)
  const closing = Array.from({ length: 100 }, (_, i) => {
    const owner = i % users
    const head = `Host: x\r\nAuthorization: ${keys[owner]}\r\n\r\n`
    return closesUnread(port, `GET /api/relt/v1${toPath(runs[owner]!)} HTTP/1.1\r\n${head}`.repeat(5))
  })
  await Promise.all(closing)
  expect(server.peakMegabytes).toBeLessThanOrEqual(1200)
  const headers = { authorization: keys[0]! }
  expect((await fetch(`${server.url}/cluster-reports`, { headers })).status).toBe(200)
})
