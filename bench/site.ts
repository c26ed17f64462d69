import type { ChildProcess } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { refreshClusters } from '../src/operations/fleet/refresh.ts'
import { openService } from '../src/service/service.ts'
import { type FleetSize, generateFleet } from './fleet/generate.ts'
import { type Running, startRelt } from './http-load.ts'
import { inFolder, median, relt, runOnce } from './measure.ts'

/** A server that waits still looks for work: less CPU time than this in half a second. */
const idleMs = 20
/** So often that V8 has optimized what a server in use runs. */
const homeViews = 40

/** A server of a team with a generated fleet, whose figures are made. */
export async function withSite<T>(size: FleetSize, work: (site: Running) => Promise<T>): Promise<T> {
  const { home: fleet } = await generateFleet(size)
  return inFolder(async (home) => {
    cpSync(fleet, home, { recursive: true })
    await adoptFleet(home)
    const site = await serve(home)
    try {
      return await work(site)
    } finally {
      site.stop()
    }
  })
}

/** Gives the clusters to the team of the first admin, and makes their figures. */
async function adoptFleet(home: string): Promise<void> {
  const first = await serve(home)
  first.stop()
  const env = { RELT_HOME: home }
  runOnce({ argv: relt('admin', 'adopt', '--local-user', '--team', 'default'), env })
  runOnce({ argv: relt('admin', 'users', 'set-email', 'admin', 'admin@example.com'), env })
  const now = () => Math.floor(Date.now() / 1000)
  const { db, vault } = await openService({ env: { ...env, RELT_KEYCHAIN: 'off' }, now, folder: home })
  while ((await refreshClusters(db, { vault, now: now() })) > 0);
  await db.destroy()
}

async function serve(home: string): Promise<Running> {
  const server = await startRelt(home)
  await idle(server)
  return server
}

/** Work in the background counts as work for a page. */
async function idle({ process }: Running): Promise<void> {
  for (let quiet = 0, before = cpuMs(process); quiet < 4; ) {
    await setTimeout(500)
    const now = cpuMs(process)
    quiet = now - before < idleMs ? quiet + 1 : 0
    before = now
  }
}

/** Of all threads, by the scheduler of Linux. */
export function cpuMs({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const ns = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return ns.reduce((sum, each) => sum + each, 0) / 1e6
}

/** Median of CPU time of the server for the list of clusters: the floor of other pages and answers. */
export async function cpuOfHomePage(site: Running): Promise<number> {
  return median(await cpuOfViews(site, '/', homeViews))
}

/** CPU time of the server for each of some views. */
export async function cpuOfViews(site: Running, path: string, views: number): Promise<number[]> {
  const times: number[] = []
  for (let view = 0; view < views; view++) {
    const before = cpuMs(site.process)
    await get(site, path)
    times.push(cpuMs(site.process) - before)
  }
  return times
}

export async function get({ url, authorization }: Running, path: string, body?: object): Promise<string> {
  const response = await fetch(url + path, {
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
  return text
}
