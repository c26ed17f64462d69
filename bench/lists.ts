/**
 * How long lists over all clusters take through `relt serve`, on SQLite and on PostgreSQL: a generated store, and a copy of
 * it. On Linux, since CPU times come from /proc.
 *
 *   npm run build && node bench/lists.ts [clusters] [runs of each] [findings of each]
 */
import pg from 'pg'
import { openAdmin } from '../src/admin/admin.ts'
import { runAsAdministrator, type TestServer } from '../test/helpers/postgres.ts'
import { startServer } from '../test/helpers/postgres-server.ts'
import { ownCpu, postmasterOf, treeCpu } from './cpu.ts'
import { generateFleet } from './fleet/generate.ts'
import { startRelt } from './http-load.ts'
import { median, relt, runOnce } from './measure.ts'

const [clusters = 10_000, runs = 2, findings = 1000] = process.argv.slice(2).map(Number)
const requests = 21
const database = 'lists'

const paths = {
  'first page of clusters': '/clusters',
  'first page of critical findings': '/findings?severity=critical',
  status: '/status',
}

async function measure(title: string, env: Record<string, string>, databaseCpu: () => number): Promise<void> {
  const home = env.RELT_HOME!
  const admin = await openAdmin({ env, now: () => Math.floor(Date.now() / 1000) })
  const { password } = await admin.createKey('local', 'lists')
  await admin.close()
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
      const first = await timeOf(path)
      for (let run = 0; run < 3; run++) await timeOf(path)
      const before = [ownCpu(server.process.pid!), databaseCpu()] as const
      const times: number[] = []
      for (let run = 0; run < requests; run++) times.push(await timeOf(path))
      const inRelt = ((ownCpu(server.process.pid!) - before[0]) * 1000) / requests
      const inDatabase = ((databaseCpu() - before[1]) * 1000) / requests
      const cpu = `CPU ${inRelt.toFixed(0)} ms in relt, ${inDatabase.toFixed(0)} ms in the database`
      console.log(
        `${title}, ${name}: median ${median(times).toFixed(0)} ms, first ${first.toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms, ${cpu}`,
      )
    }
  } finally {
    server.stop()
  }
}

async function findPostmaster(server: TestServer): Promise<number> {
  const client = new pg.Client({ ...server, database })
  await client.connect()
  await client.query('vacuum analyze')
  const { rows } = await client.query(`select current_setting('data_directory') as data`)
  await client.end()
  return postmasterOf(rows[0].data)
}

const { home } = await generateFleet({ clusters, runs, findings })
const place = { RELT_HOME: home, RELT_KEYCHAIN: 'off', RELT_OSV_URL: 'none' }
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
    // Before the first request to the source, which makes figures of all clusters.
    runOnce({ argv: relt('admin', 'store', 'copy', '--from', home, '--to', url), env })
    await measure('SQLite', place, () => 0)
    const postmaster = await findPostmaster(server)
    await measure('PostgreSQL', { ...env, RELT_DATABASE_URL: url }, () => treeCpu(postmaster))
  } finally {
    await running.stop()
  }
}
process.exit()
