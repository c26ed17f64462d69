import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import { createKey } from '../helpers/create-key.ts'
import { canMount, makeReadOnly, mountedFolder } from '../helpers/mount.ts'
import { makeSmallStore } from '../helpers/small-store.ts'
import { now } from '../operations/service.ts'
import { basic } from './http.ts'
import { openServer } from './socket.ts'

test.runIf(canMount())('a store on a read-only disk is served for reading', async () => {
  const disk = mountedFolder()
  const home = join(disk, 'home')
  await makeSmallStore(home)
  const store = { env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => now }
  const admin = await openAdmin(store)
  await admin.addUser({ login: 'ada', role: 'admin', plan: 'pro_plus' })
  const password = await createKey(store, 'ada')
  await admin.close()
  makeReadOnly(disk)
  const { url, log } = await openServer({}, { RELT_HOME: home })
  const headers = { authorization: basic('ada', password), 'content-type': 'application/json' }
  const ask = (path: string, init = {}) => fetch(`${url}/api/relt/v1${path}`, { headers, ...init })
  for (const path of ['/clusters', '/findings', '/cluster-reports', '/stats', '/dashboard']) {
    expect([path, (await ask(path)).status]).toEqual([path, 200])
  }
  const refused = await ask('/toggle-sub', { method: 'POST', body: '{"product_id": 1}' })
  expect([refused.status, await refused.json()]).toEqual([
    503,
    expect.objectContaining({
      code: 'relt_store_unusable',
      message: expect.stringContaining('The store is read-only'),
    }),
  ])
  expect(log.entries.filter(({ level }) => level === 'warn').map(({ msg }) => msg)).toContain(
    'the store is read-only: requests are answered from it as it is, and nothing is sent, fetched or removed',
  )
  expect(log.text).not.toContain('was ended')
})
