/**
 * What one account makes another one wait: Bob's p99 while Alice does all that she may, against Bob alone. Alice sends bodies
 * that are refused with a key that can only upload, four large reports at a time, and asks for whatever is expensive.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openAdmin } from '../src/admin/admin.ts'
import { createKey } from '../test/helpers/create-key.ts'
import { runAsAdministrator } from '../test/helpers/postgres.ts'
import { startServer } from '../test/helpers/postgres-server.ts'
import { generateReport } from './generate-report.ts'
import { startRelt } from './http-load.ts'
import { type Figure, inFolder, node } from './measure.ts'

const seconds = Number(process.env.RELT_BENCH_SECONDS ?? 30)
const aliceClusters = 60
const kinds = ['read', 'upload'] as const

export function neighbors(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const files = writeBodies(folder)
    const figures = await measure('SQLite', { RELT_HOME: join(folder, 'sqlite') }, files)
    const running = await startServer({ isDurable: true })
    if (!running) return figures
    try {
      const { server } = running
      await runAsAdministrator(server, `create database neighbors encoding 'UTF8' template template0`)
      const url = `postgres://${server.user}:${server.password}@${server.host}:${server.port}/neighbors`
      const env = { RELT_HOME: join(folder, 'postgres'), RELT_DATABASE_URL: url }
      return [...figures, ...(await measure('PostgreSQL', env, files))]
    } finally {
      await running.stop()
    }
  })
}

/** Bodies as Alice sends them: one that ends too early, and large reports of many findings. */
function writeBodies(folder: string): { refused: string; large: string } {
  const refused = join(folder, 'refused.json')
  const text = JSON.stringify({ report: generateReport({ findings: 80_000 }) })
  writeFileSync(refused, text.slice(0, -10))
  const large = join(folder, 'large.json')
  writeFileSync(large, JSON.stringify(generateReport({ findings: 200_000, seed: 3 })))
  return { refused, large }
}

type Files = ReturnType<typeof writeBodies>

async function measure(title: string, place: Record<string, string>, files: Files): Promise<Figure[]> {
  const limits = { RELT_RATE_LIMIT_USER: '600', RELT_RATE_LIMIT_ADDRESS: '300' }
  const keys = await makeAccounts({ RELT_KEYCHAIN: 'off', ...place })
  const server = await startRelt(place.RELT_HOME!, { ...place, ...limits, RELT_OSV_URL: 'none' })
  try {
    await fill(server.url, keys.alice, aliceClusters)
    await fill(server.url, keys.bob, 5)
    const bob = (kind: string) => latencies(server.url, keys.bob, kind)
    const parseMs = timeOfParse(files.large)
    const alone = { read: await bob('read'), upload: await bob('upload') }
    const alice = startAlice(server.url, keys, files)
    await ready(alice)
    const together: Partial<typeof alone> = {}
    for (const kind of kinds) together[kind] = await bob(kind)
    alice.kill('SIGTERM')
    return kinds.map((kind) => ({
      name: `${title}, p99 of ${kind}s beside Alice / alone and a parse of her report`,
      ours: together[kind]!.p99,
      base: alone[kind].p99 + parseMs,
      unit: 'ms',
    }))
  } finally {
    server.stop()
  }
}

function timeOfParse(file: string): number {
  const text = readFileSync(file, 'utf8')
  const started = performance.now()
  JSON.parse(text)
  return performance.now() - started
}

async function makeAccounts(env: Record<string, string>) {
  const store = { env, now: () => Math.floor(Date.now() / 1000) }
  const admin = await openAdmin(store)
  const basic = (login: string, password: string) => `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
  for (const login of ['alice', 'bob']) await admin.addUser({ login, role: 'user', plan: 'pro_plus' })
  const toKey = async (login: string, limits = {}) => basic(login, await createKey(store, login, limits))
  const keys = {
    alice: await toKey('alice'),
    upload: await toKey('alice', { scope: 'upload' }),
    bob: await toKey('bob'),
  }
  await admin.close()
  return keys
}

async function fill(url: string, authorization: string, clusters: number): Promise<void> {
  for (let cluster = 0; cluster < clusters; cluster++) {
    for (const [day, changed] of [0, 0.1].entries()) {
      const generatedAt = `2026-06-0${day + 1}T10:00:00Z`
      const report = generateReport({ findings: 1000, seed: cluster + 10, changed, generatedAt })
      const answer = await fetch(`${url}/api/relt/v1/cluster-reports`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ report }),
      })
      if (answer.status !== 201) throw new Error(`An upload was answered with ${answer.status}.`)
    }
  }
}

async function latencies(url: string, authorization: string, kind: string): Promise<{ median: number; p99: number }> {
  const argv = ['bench/neighbor.ts', url, authorization, kind, String(seconds)]
  const { stdout } = await promisify(execFile)(node, argv)
  const found = JSON.parse(stdout)
  process.stderr.write(`  ${kind}: ${stdout}`)
  return found
}

function startAlice(url: string, keys: { alice: string; upload: string }, { refused, large }: Files): ChildProcess {
  const argv = ['bench/noisy-neighbor.ts', url, keys.alice, keys.upload, refused, large]
  return spawn(node, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Her first requests are on their way. */
function ready(alice: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    alice.stdout!.once('data', resolve)
    alice.once('exit', () => reject(new Error('Alice ended.')))
  })
}
