import { join } from 'node:path'
import { sql } from 'kysely'
import { createLocalClient } from '../src/client/local.ts'
import { jsonRows } from '../src/db/dialect.ts'
import { openService } from '../src/service/service.ts'
import { runAsAdministrator, type TestServer } from '../test/helpers/postgres.ts'
import { startServer } from '../test/helpers/postgres-server.ts'
import { findPostmaster, ownCpu, treeCpu } from './cpu.ts'
import { generateReport } from './generate-report.ts'
import { type Asked, load, type Running, releasesPath, start, startRelt, turns } from './http-load.ts'
import { type Figure, inFolder, median, node } from './measure.ts'

const findings = 200_000
const projects = 100_000
const rounds = 3

type Measure = 'ingest' | 'compare' | 'search'
type Times = Record<Measure, number>

const names: Record<Measure, string> = {
  ingest: 'ingest of 50 MB, PostgreSQL / SQLite',
  compare: 'compare of two such runs, PostgreSQL / SQLite',
  search: `search in ${projects} projects, PostgreSQL / SQLite`,
}

/** The same work on both databases, the server on this machine. None without a PostgreSQL for this platform. */
export function postgres(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const running = await startServer({ isDurable: true })
    if (!running) return []
    const reports = ['2026-06-01', '2026-06-02'].map((day, index) =>
      Buffer.from(JSON.stringify(generateReport({ findings, changed: index / 100, generatedAt: `${day}T10:00:00Z` }))),
    )
    const times: Record<'sqlite' | 'postgres', Times[]> = { sqlite: [], postgres: [] }
    try {
      for (let round = 0; round < rounds; round++) {
        const url = await createDatabase(running.server, `bench_${round}`)
        times.sqlite.push(await measure({ RELT_HOME: join(folder, `sqlite-${round}`) }, reports))
        times.postgres.push(
          await measure({ RELT_HOME: join(folder, `postgres-${round}`), RELT_DATABASE_URL: url }, reports),
        )
      }
      const ratios = (Object.keys(names) as Measure[]).map((name) => ({
        name: names[name],
        ours: median(times.postgres.map((each) => each[name])),
        base: median(times.sqlite.map((each) => each[name])),
        unit: 'ms' as const,
      }))
      return [...ratios, ...(await reads(folder, running.server))]
    } finally {
      await running.stop()
    }
  })
}

async function createDatabase(server: TestServer, name: string): Promise<string> {
  await runAsAdministrator(server, `create database ${name} encoding 'UTF8' template template0`)
  return `postgres://${server.user}:${server.password}@${server.host}:${server.port}/${name}`
}

/** The server against bare hono routes that run the same SQL, a key's query included. */
async function reads(folder: string, server: TestServer): Promise<Figure[]> {
  const home = join(folder, 'reads')
  const env = { RELT_DATABASE_URL: await createDatabase(server, 'bench_reads') }
  const postmaster = await findPostmaster(server)
  const ours = await startRelt(home, env)
  const headers = { authorization: ours.authorization }
  await uploadRuns(ours.url, { ...headers, 'x-relt-team': 'me' })
  const bare = await start([node, 'bench/bare-postgres.ts'], home, env)
  try {
    const releases = { path: await releasesPath(ours.url), headers }
    const runs = { path: '/api/relt/v1/cluster-reports', headers: { ...headers, 'x-relt-team': 'me' } }
    return [
      await compareCpu('CPU of signed-in releases / bare hono, same SQL', { ours, bare, postmaster }, releases),
      await compareCpu('CPU of signed-in runs / the same', { ours, bare, postmaster }, runs),
    ]
  } finally {
    ours.stop()
    bare.stop()
  }
}

interface Sides {
  ours: Running
  bare: Running
  postmaster: number
}

/** CPU time of a thousand requests, in the server and in the database: busy cores answer as many as it allows. */
async function compareCpu(name: string, { ours, bare, postmaster }: Sides, { path, headers }: Asked): Promise<Figure> {
  const cpuOf = async ({ url, process }: Running, amount: number) => {
    const spent = () => ownCpu(process.pid!) + treeCpu(postmaster)
    const before = spent()
    await load(url + path, headers, { amount })
    return ((spent() - before) * 1_000_000) / amount
  }
  // A program is compiled while its first thousands of requests are answered.
  for (const side of [ours, bare]) await cpuOf(side, 4000)
  const times: [number[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn++) {
    times[0].push(await cpuOf(ours, 1000))
    times[1].push(await cpuOf(bare, 1000))
  }
  return { name, ours: median(times[0]), base: median(times[1]), unit: 'ms' }
}

/** More than a page of one cluster. */
async function uploadRuns(url: string, headers: Record<string, string>): Promise<void> {
  for (let day = 1; day <= 25; day++) {
    const report = generateReport({ findings: 10, generatedAt: `2026-06-${String(day).padStart(2, '0')}T10:00:00Z` })
    const { status } = await fetch(`${url}/api/relt/v1/cluster-reports`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ cluster: { name: 'shop', environment: 'prod' }, report }),
    })
    if (status !== 201) throw new Error(`An upload was answered with ${status}.`)
  }
}

async function measure(place: Record<string, string>, reports: Buffer[]): Promise<Times> {
  const options = { env: { RELT_KEYCHAIN: 'off', ...place }, now: () => Math.floor(Date.now() / 1000) }
  const client = await createLocalClient(options)
  await client.call('listReports', {})
  const ingest: number[] = []
  for (const report of reports) ingest.push(await timed(() => client.call('uploadReport', { body: {}, report })))
  const compare: number[] = []
  for (let run = 0; run < 5; run++) compare.push(await timed(() => client.call('compareReports', {})))
  await addProjects(options)
  const search: number[] = []
  for (let run = 0; run < 30; run++) {
    search.push(await timed(() => client.call('listProjects', { query: { search: phrases[run % phrases.length]! } })))
  }
  await client.close()
  return { ingest: median(ingest), compare: median(compare), search: median(search) }
}

const words = ['operator', 'gateway', 'manager', 'mesh', 'vault', 'cache', 'proxy', 'scanner', 'policy', 'backup']
const phrases = ['argo', 'mesh vault 12', 'proxy 777', 'nothing', 'cache proxy 4']

async function addProjects(options: Parameters<typeof openService>[0]): Promise<void> {
  const { db } = await openService(options)
  const word = (number: number) => words[number % words.length]
  const rows = Array.from({ length: projects }, (_, i) => [
    `project-${i}`,
    `${word(i)} ${word(i * 7 + 3)} ${i}`,
    `A ${word(i * 3)} for ${word(i * 11)}`,
  ])
  for (let at = 0; at < projects; at += 20_000) {
    await sql`insert into project (slug, name, description, category, cncf_status, homepage, docs_url, repo_url, logo_url,
        origin, updated_at)
      select value->>0, value->>1, value->>2, 'CI/CD', 'open-source', '', '', '', '', 'user', 1
      from ${jsonRows(JSON.stringify(rows.slice(at, at + 20_000)), 'given')}`.execute(db)
  }
  await sql`analyze`.execute(db)
  await db.destroy()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
