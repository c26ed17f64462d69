import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { createLocalClient } from '../src/client/local.ts'
import { compare, connections, type Running, releasesPath, search, seconds, start, startRelt } from './http-load.ts'
import { type Figure, inFolder, node } from './measure.ts'

/** The server against bare hono routes that run the same SQL, or answer the same bytes. */
export function server(): Promise<Figure[]> {
  return inFolder(async (home) => {
    await prepare(home)
    const ours = await startRelt(home)
    const bare = await start([node, 'bench/bare-server.ts'], home)
    try {
      const releases = await releasesPath(ours.url)
      const uncached = (path: string) => ({ path, headers: { authorization: ours.authorization } })
      const figures = [
        await compare('search, 50 connections / bare hono, same SQL', ours, bare, { path: search }),
        await compare('releases, 50 connections / bare hono, same SQL', ours, bare, { path: releases }),
        await compare('search, never cached / the same', ours, bare, { path: `${search}&x=[<id>]` }),
        await compare('releases, never cached / the same', ours, bare, { path: `${releases}?x=[<id>]` }),
        await compare('search, signed in / the same', ours, bare, uncached(search)),
        await compare('cached search / bare hono, constant', ours, bare, { path: search, barePath: '/constant' }),
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

async function prepare(home: string): Promise<void> {
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => 1_790_000_000 })
  await client.call('getStats', {})
  await client.close()
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
  return { name: 'memory after 100,000 requests / 10,000', ours: residentMb(), base: early, unit: 'MB' }
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
      const running = await startRelt(home)
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
    return { name: 'search, 100,000 projects / 1,000', ours: times[1]!, base: times[0]!, unit: 'ms' }
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
