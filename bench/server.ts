import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { createLocalClient } from '../src/client/local.ts'
import { type Figure, inFolder, median, node } from './measure.ts'

const search = '/api/relt/v1/projects?search=argo'
const connections = 50
const seconds = 4

/** The server against bare hono routes that run the same SQL, or answer the same bytes. */
export function server(): Promise<Figure[]> {
  return inFolder(async (home) => {
    await prepare(home)
    const ours = await start([node, 'bin/relt.js', 'serve', '--port', '0', '--log-level', 'error'], home)
    const bare = await start([node, 'bench/bare-server.ts'], home)
    try {
      const releases = await releasesPath(ours.url)
      const uncached = (path: string) => ({ path, headers: { authorization: ours.authorization } })
      const figures = [
        await compare('search, 50 connections / bare hono, same SQL', ours, bare, { path: search }, 1 / 0.6),
        await compare('releases, 50 connections / bare hono, same SQL', ours, bare, { path: releases }, 1 / 0.6),
        await compare('search, never cached / the same', ours, bare, { path: `${search}&x=[<id>]` }, 1 / 0.6),
        await compare('releases, never cached / the same', ours, bare, { path: `${releases}?x=[<id>]` }, 1 / 0.6),
        await compare('search, signed in / the same', ours, bare, uncached(search), 1 / 0.3),
        await compare(
          'cached search / bare hono, constant',
          ours,
          bare,
          { path: search, barePath: '/constant' },
          1 / 0.8,
        ),
        await tail(ours, search),
        await memory(ours, search),
      ]
      return [...figures, await growth()]
    } finally {
      ours.stop()
      bare.stop()
    }
  })
}

interface Running {
  url: string
  authorization: string
  process: ChildProcess
  stop: () => void
}

async function prepare(home: string): Promise<void> {
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => 1_790_000_000 })
  await client.call('getStats', {})
  await client.close()
}

/** The address stands in what it prints; a first admin's credentials may too. */
async function start([file, ...args]: string[], home: string): Promise<Running> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const child = spawn(file!, args, {
    env: { ...env, RELT_HOME: home, RELT_KEYCHAIN: 'off', RELT_RATE_LIMIT_USER: '0', RELT_RATE_LIMIT_ADDRESS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const read = (chunk: Buffer) => {
    printed += chunk
    const url = /http:\/\/[\w.:]+/.exec(printed)?.[0]
    if (url) setTimeout(300).then(() => resolve(url))
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  child.once('exit', () => reject(new Error(`${file} ended: ${printed}`)))
  const url = await promise
  const saved = join(home, 'first-admin.json')
  const password = existsSync(saved) ? JSON.parse(readFileSync(saved, 'utf8')).password : ''
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  return { url, authorization, process: child, stop: () => child.kill('SIGKILL') }
}

async function releasesPath(url: string): Promise<string> {
  const { items } = (await (await fetch(url + search)).json()) as { items: { id: number }[] }
  return `/api/relt/v1/projects/${items[0]!.id}/releases`
}

interface Asked {
  path: string
  barePath?: string
  headers?: Record<string, string>
}

/** Time of a thousand requests; both sides in turn, three times. */
async function compare(name: string, ours: Running, bare: Running, asked: Asked, atMost: number): Promise<Figure> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round++) {
    times[0].push(await timeOf(ours.url + asked.path, asked.headers))
    times[1].push(await timeOf(bare.url + (asked.barePath ?? asked.path)))
  }
  return { name, ours: median(times[0]), base: median(times[1]), unit: 'ms', atMost }
}

async function timeOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds, idReplacement: true })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return 1_000_000 / result.requests.average
}

/** Of answers that are made anew each time, at half the rate that the server can do. */
async function tail({ url }: Running, path: string): Promise<Figure> {
  const asked = `${url}${path}&x=`
  const { requests } = await autocannon({ url: `${asked}[<id>]`, connections, duration: seconds, idReplacement: true })
  const unloaded = await latencies(`${asked}a`, 20)
  const loaded = await latencies(`${asked}b`, Math.round(requests.average / 2))
  return {
    name: 'p99 at half the full rate / unloaded',
    ours: loaded.p99,
    base: unloaded.median,
    unit: 'ms',
    atMost: 10,
  }
}

/** In ms. The client is a process of its own, so that this one waits without stopping. */
async function latencies(url: string, perSecond: number): Promise<{ median: number; p99: number }> {
  const argv = ['bench/latencies.ts', url, String(perSecond), String(seconds)]
  const { stdout } = await promisify(execFile)(node, argv)
  return JSON.parse(stdout)
}

async function memory({ url, process }: Running, path: string): Promise<Figure> {
  const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))![1]) / 1024
  await autocannon({ url: url + path, connections, amount: 10_000 })
  const early = residentMb()
  await autocannon({ url: url + path, connections, amount: 90_000 })
  return { name: 'memory after 100,000 requests / 10,000', ours: residentMb(), base: early, unit: 'MB', atMost: 1.2 }
}

/** Search among a hundred times the projects, with two million releases beside them. */
function growth(): Promise<Figure> {
  return inFolder(async (folder) => {
    const times: number[] = []
    for (const [projects, releases] of [
      [1000, 20_000],
      [100_000, 2_000_000],
    ] as const) {
      const home = join(folder, String(projects))
      await prepare(home)
      fill(join(home, 'relt.db'), projects, releases)
      const running = await start([node, 'bin/relt.js', 'serve', '--port', '0', '--log-level', 'error'], home)
      const headers = { authorization: running.authorization }
      const result = await autocannon({
        url: `${running.url}/api/relt/v1/projects?search=keeper`,
        headers,
        connections: 1,
        duration: seconds,
      })
      times.push(1000 / result.requests.average)
      running.stop()
    }
    return { name: 'search, 100,000 projects / 1,000', ours: times[1]!, base: times[0]!, unit: 'ms', atMost: 4 }
  })
}

/** Every store has the same few hits: what grows is what has to be passed by. */
function fill(file: string, projects: number, releases: number): void {
  const db = new DatabaseSync(file)
  db.exec('begin')
  db.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into project (slug, name, description, category, cncf_status, homepage, docs_url, repo_url, logo_url, origin, updated_at)
     select 'made-' || i, case when i <= 40 then 'Keeper ' || i else 'Made ' || hex(i * 7919) end, 'Does thing ' || i, 'Storage',
       'sandbox', '', '', 'https://git.example/' || i, '', 'made', 0 from n`,
  ).run(projects)
  db.prepare(
    `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?)
     insert into release (project_id, type, chart_name, version, published_at, created_at, url, release_notes,
       has_security_fix, security_severity, origin)
     select (select min(id) from project where origin = 'made') + i % ?, 'app', '', '1.' || i, 1700000000 + i, 0, '', '', 0, 'none', 'made'
     from n`,
  ).run(releases - 1, projects)
  db.exec('commit')
  db.close()
}
