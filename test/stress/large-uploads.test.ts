import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { createKey } from '../helpers/create-key.ts'
import { distinctReport } from '../helpers/distinct-report.ts'
import { ServerProcess } from '../helpers/server-process.ts'
import { basic } from '../server/http.ts'

const megabyte = 1024 * 1024

test.skipIf(process.platform !== 'linux')('20 uploads of 20 MB at once need at most 900 MB', async () => {
  const home = temporaryFolder()
  const store = { env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => 1_790_000_000 }
  const admin = await openAdmin(store)
  const keys: string[] = []
  for (let i = 0; i < 20; i++) {
    await admin.addUser({ login: `user-${i}`, role: 'user', plan: 'pro' })
    keys.push(basic(`user-${i}`, await createKey(store, `user-${i}`)))
  }
  await admin.close()
  const server = new ServerProcess(home)
  await server.start()
  onTestFinished(() => server.kill())
  const report = distinctReport(1, 106_500)
  const body = JSON.stringify({ report })
  expect(body.length).toBeGreaterThan(20 * megabyte)
  /** A client that retries as it is told: an upload that waited ten seconds for a thread is refused. */
  async function upload(authorization: string): Promise<number> {
    const headers = { authorization, 'content-type': 'application/json' }
    const { status, headers: answered } = await fetch(`${server.url}/cluster-reports`, {
      method: 'POST',
      headers,
      body,
    })
    if (status !== 503) return status
    await sleep(Number(answered.get('retry-after')) * 1000)
    return upload(authorization)
  }
  const answers = keys.map(upload)
  expect(await Promise.all(answers)).toEqual(keys.map(() => 201))
  expect(server.peakMegabytes).toBeLessThanOrEqual(900)
})
