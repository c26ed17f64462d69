/**
 * How long lists over all clusters take through `relt serve`, on SQLite and on PostgreSQL: a generated store, and a copy of
 * it. On Linux, since CPU times come from /proc.
 *
 *   npm run build && node bench/lists.ts [clusters] [runs of each] [findings of each]
 */
import { refreshClusters } from '../src/operations/fleet/refresh.ts'
import { openService } from '../src/service/service.ts'
import { createKey } from '../test/helpers/create-key.ts'
import { runAsAdministrator } from '../test/helpers/postgres.ts'
import { startServer } from '../test/helpers/postgres-server.ts'
import { findPostmaster, ownCpu, treeCpu } from './cpu.ts'
import { generateFleet } from './fleet/generate.ts'
import { startRelt } from './http-load.ts'
import { median, relt, runOnce } from './measure.ts'

const [clusters = 10_000, runs = 2, findings = 1000] = process.argv.slice(2).map(Number)
const requests = 21
const database = 'lists'

const paths = {
  'first page of clusters': '/clusters',
  'first page of critical findings': '/findings?severity=critical',
  'first page of status': '/clusters?sort=urgency',
}

async function measure(title: string, env: Record<string, string>, databaseCpu: () => number): Promise<void> {
  const home = env.RELT_HOME!
  const store = { env, now: () => Math.floor(Date.now() / 1000) }
  const password = await createKey(store, 'local')
  const headers = { authorization: `Basic ${Buffer.from(`local:${password}`).toString('base64')}` }
  const server = await startRelt(home, env)
  const timeOf = async (path: string) => {
    const started = performance.now()
    const answer = await fetch(`${server.url}/api/relt/v1${path}`, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    return performance.now() - started
  }
  try {
    for (const [name, path] of Object.entries(paths)) {
      for (let run = 0; run < 3; run++) await timeOf(path)
      const before = [ownCpu(server.process.pid!), databaseCpu()] as const
      const times: number[] = []
      for (let run = 0; run < requests; run++) times.push(await timeOf(path))
      const inRelt = ((ownCpu(server.process.pid!) - before[0]) * 1000) / requests
      const inDatabase = ((databaseCpu() - before[1]) * 1000) / requests
      const cpu = `CPU ${inRelt.toFixed(0)} ms in relt, ${inDatabase.toFixed(0)} ms in the database`
      console.log(
        `${title}, ${name}: median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms, ${cpu}`,
      )
    }
  } finally {
    server.stop()
  }
}

/** Each request makes some of the figures that are missing, as it would after the uploads of a day. */
async function refreshAll(): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const { db, vault } = await openService({ env: place, now: () => now, folder: home })
  while ((await refreshClusters(db, { vault, now })) > 0);
  await db.destroy()
}

const { home } = await generateFleet({ clusters, runs, findings })
const place = { RELT_HOME: home, RELT_KEYCHAIN: 'off', RELT_OSV_URL: 'none', RELT_KEV_URL: 'none' }
await refreshAll()
console.log(`${clusters} clusters × ${runs} runs × ${findings} findings`)
const running = await startServer({ isDurable: true })
if (!running) {
  await measure('SQLite', place, () => 0)
} else {
  const { server } = running
  try {
    await runAsAdministrator(server, `create database ${database} encoding 'UTF8' template template0`)
    const url = `postgres://${server.user}@${server.host}:${server.port}/${database}`
    const env = { ...place, PGPASSWORD: server.password }
    runOnce({ argv: relt('admin', 'store', 'copy', '--from', home, '--to', url), env })
    await measure('SQLite', place, () => 0)
    await runAsAdministrator(server, 'vacuum analyze', database)
    const postmaster = await findPostmaster(server)
    await measure('PostgreSQL', { ...env, RELT_DATABASE_URL: url }, () => treeCpu(postmaster))
  } finally {
    await running.stop()
  }
}
process.exit()
