import { onTestFinished } from 'vitest'
import { openAdmin } from '../../../../src/admin/admin.ts'
import { basePath } from '../../../../src/server/http/base-path.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { createKey } from '../../../helpers/create-key.ts'
import { startListening } from '../../../helpers/listening-server.ts'
import { makeSmallCatalog, smallReports } from '../../../helpers/small-store.ts'

const now = () => testNow

/** A server of ours that comes and goes at one address, and a machine that is signed in to it as ada. */
export async function openRadar() {
  const serverHome = temporaryFolder()
  const home = temporaryFolder()
  await makeSmallCatalog(serverHome)
  const env = { RELT_HOME: serverHome, RELT_KEYCHAIN: 'off', RELT_DELIVERY: 'off' }
  const store = { env, now }
  const admin = await openAdmin(store)
  const passwords: Record<string, string> = {}
  for (const login of ['ada', 'bob']) {
    await admin.addUser({ login, role: 'user', plan: 'pro_plus' })
    passwords[login] = await createKey(store, login)
  }
  await admin.close()
  let port = 0
  let started: Awaited<ReturnType<typeof startListening>> | undefined

  async function up(): Promise<void> {
    started = await startListening(env, now, port)
    port = Number(new URL(started.url).port)
  }

  async function down(): Promise<void> {
    await started?.stop(0)
    started = undefined
  }

  await up()
  onTestFinished(down)
  const url = `http://127.0.0.1:${port}${basePath}`
  const signedIn = (login: string) => ({
    RELT_SERVER: url,
    RELT_USERNAME: login,
    RELT_PASSWORD: passwords[login]!,
    NO_COLOR: '1',
  })

  function relt(argv: string, options: { as?: string; report?: object; columns?: number; env?: object } = {}) {
    const { as = 'ada', report = smallReports[0]!, columns, env } = options
    return runCli(argv.split(' '), {
      home,
      stdin: JSON.stringify(report),
      env: { ...signedIn(as), ...env },
      ...(columns && { columns }),
    })
  }

  const json = async (argv: string) => JSON.parse((await relt(`${argv} --json`)).stdout)
  /** Names of the clusters of all runs that the server has. */
  async function stored(): Promise<string[]> {
    const { clusters } = await json('api GET /cluster-reports/trends -f group_by_cluster=true')
    type Trend = { cluster_name: string; points: unknown[] }
    return clusters.flatMap(({ cluster_name, points }: Trend) => points.map(() => cluster_name)).sort()
  }

  return { home, url, env: signedIn('ada'), up, down, relt, json, stored }
}
