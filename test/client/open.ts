import { onTestFinished } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import type { Client } from '../../src/client/client.ts'
import { createLocalClient } from '../../src/client/local.ts'
import { createRemoteClient, type RemoteOptions } from '../../src/client/remote.ts'
import { basePath } from '../../src/server/http/base-path.ts'
import { startServer } from '../../src/server/serve.ts'
import { temporaryFolder, testNow } from '../helpers/cli.ts'
import { createKey } from '../helpers/create-key.ts'
import { startListening } from '../helpers/listening-server.ts'
import { makeSmallCatalog } from '../helpers/small-store.ts'
import { Lines } from '../server/http.ts'

const now = () => testNow

/** The client on a store in this process. */
export async function openLocal(): Promise<Client> {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now })
  onTestFinished(() => client.close())
  return client
}

/** The client of a server that listens, on a store like the other one. */
export async function openRemote(options?: { hasThreads: boolean }): Promise<Client> {
  const { server } = await openServerWithUser(options)
  return openClient(server)
}

/** A listening server of ours with a small catalog and one user on the highest plan; whole or without its threads. */
export async function openServerWithUser({ hasThreads } = { hasThreads: false }): Promise<{
  server: RemoteOptions
  password: string
  home: string
}> {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off', RELT_DELIVERY: 'off' }
  const store = { env, now }
  const admin = await openAdmin(store)
  await admin.addUser({ login: 'ada', role: 'admin', plan: 'pro_plus' })
  const password = await createKey(store, 'ada')
  await admin.close()
  const { url, stop } = hasThreads ? await startWhole(env) : await startListening(env, now)
  onTestFinished(() => stop(0))
  const credentials = async () => ({ username: 'ada', password })
  return { server: { url: url + basePath, credentials }, password, home }
}

function startWhole(env: Record<string, string>) {
  const noLimits = { RELT_RATE_LIMIT_USER: '0', RELT_RATE_LIMIT_ADDRESS: '0' }
  const options = { host: '127.0.0.1', port: 0, logLevel: 'silent' } as const
  return startServer(options, { env: { ...env, ...noLimits }, stderr: new Lines(), now })
}

export function openClient(options: RemoteOptions): Client {
  const client = createRemoteClient(options)
  onTestFinished(() => client.close())
  return client
}
