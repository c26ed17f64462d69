/**
 * What many clusters that are scanned daily cost: some of them for some days, through `relt serve` into SQLite and into
 * PostgreSQL, and from there by calculation to 10,000 clusters and a year. On Linux, since CPU times come from /proc.
 *
 *   npm run build && node bench/year.ts [clusters] [days] [findings]
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openAdmin } from '../src/admin/admin.ts'
import { createKey } from '../test/helpers/create-key.ts'
import { runAsAdministrator, type TestServer } from '../test/helpers/postgres.ts'
import { startServer } from '../test/helpers/postgres-server.ts'
import { findPostmaster, ownCpu, treeCpu } from './cpu.ts'
import { generateReport } from './generate-report.ts'
import { inFolder, node } from './measure.ts'

const [clusters = 40, days = 12, findings = 1000] = process.argv.slice(2).map(Number)
/** Share of the findings that are other ones each day. */
const changed = 0.01
const wanted = { clusters: 10_000, days: 365 }
const reads = 400
const atOnce = 4
const secondsPerDay = 86_400

/** Bytes by table. */
type Sizes = Record<string, number>

interface Backend {
  name: string
  env: Record<string, string>
  sizes: () => Promise<Sizes>
  /** CPU seconds of the database's own processes so far. */
  databaseCpu: () => number
}

interface Measured {
  uploadMs: number
  databaseUploadMs: number
  readMs: Record<string, number>
  databaseReadMs: number
  middle: Sizes
  end: Sizes
}

async function measure(backend: Backend, home: string): Promise<Measured> {
  const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off', RELT_OSV_URL: 'none', RELT_KEV_URL: 'none', ...backend.env }
  const authorization = await addUser(env)
  const server = await serve(env)
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.url}/api/relt/v1${path}`, {
      ...init,
      headers: { authorization, 'content-type': 'application/json' },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  try {
    const today = Math.floor(Date.now() / 1000 / secondsPerDay)
    const uploadAll = async (from: number, to: number) => {
      for (let day = from; day < to; day++) {
        const bodies = Array.from({ length: clusters }, (_, cluster) => toBody(cluster, day, today - days + day))
        await inParallel(bodies, (body) => call('/cluster-reports', { method: 'POST', body }))
      }
      // Figures of clusters and trends are made after uploads.
      await sleep(3000)
    }
    const middleDay = Math.floor(days / 2)
    // The first uploads compile the program.
    await uploadAll(0, 1)
    const before = [server.cpu(), backend.databaseCpu()] as const
    await uploadAll(1, middleDay)
    const middle = await backend.sizes()
    await uploadAll(middleDay, days)
    const uploads = clusters * (days - 1)
    const uploadMs = ((server.cpu() - before[0]) * 1000) / uploads
    const databaseUploadMs = ((backend.databaseCpu() - before[1]) * 1000) / uploads
    const end = await backend.sizes()
    const readMs: Record<string, number> = {}
    const databaseBefore = backend.databaseCpu()
    for (const [name, path] of Object.entries(paths)) {
      await inParallel(Array.from({ length: 50 }), () => call(path))
      const before = server.cpu()
      await inParallel(Array.from({ length: reads }), () => call(path))
      readMs[name] = ((server.cpu() - before) * 1000) / reads
    }
    const readCount = Object.keys(paths).length * (reads + 50)
    const databaseReadMs = ((backend.databaseCpu() - databaseBefore) * 1000) / readCount
    return { uploadMs, databaseUploadMs, readMs, databaseReadMs, middle, end }
  } finally {
    await server.stop()
  }
}

const paths = {
  'list of 20 runs': '/cluster-reports',
  'list of clusters': '/clusters?per_page=20',
  'comparison of two runs': '/cluster-reports/compare?cluster=cluster-1&environment=prod',
}

/** Other findings each day are new ones, so that histories grow. */
function toBody(cluster: number, day: number, epochDay: number): string {
  const generatedAt = new Date((epochDay * secondsPerDay + cluster) * 1000).toISOString()
  const report = generateReport({ findings, seed: cluster + 1, changed: changed + day / 1e6, generatedAt })
  const body = { report, cluster: { name: `cluster-${cluster}`, environment: 'prod' } }
  return JSON.stringify(body).replaceAll('-next', `-day${day}`)
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const worker = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function addUser(env: Record<string, string>): Promise<string> {
  const store = { env, now: () => Math.floor(Date.now() / 1000) }
  const admin = await openAdmin(store)
  try {
    await admin.addUser({ login: 'fleet', role: 'user', plan: 'pro_plus' })
    const password = await createKey(store, 'fleet')
    return `Basic ${Buffer.from(`fleet:${password}`).toString('base64')}`
  } finally {
    await admin.close()
  }
}

async function serve(env: Record<string, string>) {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
  const child = spawn(node, ['bin/relt.js', 'serve', '--port', '0', '--log-level', 'error'], {
    env: { ...inherited, RELT_RATE_LIMIT_USER: '0', RELT_RATE_LIMIT_ADDRESS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let printed = ''
  const read = (chunk: Buffer) => {
    printed += chunk
    const url = /http:\/\/[\w.:]+/.exec(printed)?.[0]
    if (url) resolve(url)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  ended.then(() => reject(new Error(`The server ended: ${printed}`)), reject)
  const url = await promise
  return {
    url,
    cpu: () => ownCpu(child.pid!),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function sqliteBackend(home: string): Backend {
  return {
    name: 'SQLite',
    env: {},
    sizes: async () => {
      const db = new DatabaseSync(join(home, 'relt.db'), { readOnly: true })
      const rows = db.prepare(
        'select schema.tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_schema as schema using (name) group by 1',
      )
      const sizes = Object.fromEntries(rows.all().map(({ name, bytes }) => [name as string, bytes as number]))
      db.close()
      return sizes
    },
    databaseCpu: () => 0,
  }
}

async function postgresBackend(server: TestServer): Promise<Backend> {
  const database = 'year'
  await runAsAdministrator(server, `create database ${database} encoding 'UTF8' template template0`)
  const query = async (text: string) => {
    const client = new pg.Client({ ...server, database })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }
  const postmaster = await findPostmaster(server)
  return {
    name: 'PostgreSQL',
    env: {
      RELT_DATABASE_URL: `postgres://${server.user}@${server.host}:${server.port}/${database}`,
      PGPASSWORD: server.password,
      RELT_MASTER_KEY: randomBytes(32).toString('hex'),
    },
    sizes: async () => {
      // Space of deleted rows is used again, but only after a vacuum.
      await query('vacuum')
      const rows = await query(`select relname as name, cast(pg_total_relation_size(oid) as double precision) as bytes
        from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
      return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
    },
    databaseCpu: () => treeCpu(postmaster),
  }
}

/** Bytes of each run and of each cluster, from two moments: what grows with the days, and what does not. */
function growth({ middle, end }: Measured): { table: string; perRun: number; perCluster: number }[] {
  const runs = clusters * (days - Math.floor(days / 2))
  return Object.entries(end)
    .map(([table, bytes]) => {
      const perRun = Math.max(0, (bytes - (middle[table] ?? 0)) / runs)
      return { table, perRun, perCluster: Math.max(0, bytes / clusters - perRun * days) }
    })
    .filter(({ perRun }) => perRun > 0)
    .sort((a, b) => b.perRun - a.perRun)
}

function print(name: string, measured: Measured): void {
  const tables = growth(measured)
  const perRun = tables.reduce((sum, table) => sum + table.perRun, 0)
  const runs = wanted.clusters * wanted.days
  const { uploadMs, databaseUploadMs, readMs, databaseReadMs } = measured
  const perUpload = uploadMs + databaseUploadMs
  console.log(
    `${name}, measured with ${clusters} clusters, ${days} days, ${findings} findings, 1 % of them new each day:`,
  )
  console.log(
    `  CPU of an upload       ${uploadMs.toFixed(1)} ms in relt, ${databaseUploadMs.toFixed(1)} ms in the database`,
  )
  console.log(`  uploads a second       ${(1000 / perUpload).toFixed(0)} a core`)
  for (const [read, ms] of Object.entries(readMs)) {
    console.log(`  ${read.padEnd(22)} ${ms.toFixed(2)} ms in relt, ${(1000 / ms).toFixed(0)} a second a core`)
  }
  console.log(`  CPU of a read          ${databaseReadMs.toFixed(2)} ms in the database, on average`)
  console.log(`  bytes of a run         ${(perRun / 1000).toFixed(1)} kB`)
  for (const { table, perRun } of tables.slice(0, 8)) console.log(`    ${table.padEnd(20)} ${perRun.toFixed(0)}`)
  console.log(`${name}, extrapolated to ${wanted.clusters} clusters and ${wanted.days} days:`)
  console.log(`  runs                   ${(runs / 1e6).toFixed(2)} million`)
  console.log(`  CPU of a day's uploads ${((perUpload * wanted.clusters) / 60_000).toFixed(0)} minutes`)
  console.log(`  size                   ${((perRun * runs) / 1e9).toFixed(0)} GB, of which`)
  for (const { table, perRun, perCluster } of tables.slice(0, 6)) {
    console.log(`    ${table.padEnd(20)} ${((perRun * runs + perCluster * wanted.clusters) / 1e9).toFixed(1)} GB`)
  }
}

await inFolder(async (folder) => {
  const home = join(folder, 'sqlite')
  print('SQLite', await measure(sqliteBackend(home), home))
  const running = await startServer({ isDurable: true })
  if (!running) return
  try {
    print('PostgreSQL', await measure(await postgresBackend(running.server), join(folder, 'postgres')))
  } finally {
    await running.stop()
  }
})
