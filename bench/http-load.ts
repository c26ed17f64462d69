import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { type Figure, median, node } from './measure.ts'

export const search = '/api/relt/v1/projects?search=argo'
export const connections = 50
export const seconds = 4
export const turns = 7
const turnSeconds = 2

export interface Running {
  url: string
  authorization: string
  process: ChildProcess
  stop: () => void
}

export function startRelt(home: string, env: Record<string, string> = {}): Promise<Running> {
  return start([node, 'bin/relt.js', 'serve', '--port', '0', '--log-level', 'error'], home, env)
}

/** The address stands in what it prints; a first admin's credentials may too. */
export async function start(
  [file, ...args]: string[],
  home: string,
  more: Record<string, string> = {},
): Promise<Running> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const noLimits = { RELT_RATE_LIMIT_USER: '0', RELT_RATE_LIMIT_ADDRESS: '0' }
  const child = spawn(file!, args, {
    env: { ...env, RELT_HOME: home, RELT_KEYCHAIN: 'off', ...noLimits, ...more },
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

export async function releasesPath(url: string): Promise<string> {
  const { items } = (await (await fetch(url + search)).json()) as { items: { id: number }[] }
  return `/api/relt/v1/projects/${items[0]!.id}/releases`
}

export interface Asked {
  path: string
  barePath?: string
  headers?: Record<string, string>
}

/** Time of a thousand requests. Both sides take short turns, so that a load from elsewhere meets both alike. */
export async function compare(name: string, ours: Running, bare: Running, asked: Asked): Promise<Figure> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < turns; round++) {
    times[0].push(await timeOf(ours.url + asked.path, asked.headers))
    times[1].push(await timeOf(bare.url + (asked.barePath ?? asked.path)))
  }
  return { name, ours: median(times[0]), base: median(times[1]), unit: 'ms' }
}

async function timeOf(url: string, headers?: Record<string, string>): Promise<number> {
  return 1_000_000 / (await load(url, headers, { duration: turnSeconds }))
}

/** Requests a second, of as many as the server can answer. */
export async function load(
  url: string,
  headers: Record<string, string> = {},
  limit: { duration: number } | { amount: number },
): Promise<number> {
  const result = await autocannon({ url, headers, connections, ...limit, idReplacement: true })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.average
}
