import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { generator } from '../../bench/generate-report.ts'
import { openAdmin } from '../../src/admin/admin.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { Spool } from '../../src/spool/spool.ts'
import { addOccurrence, listHistory, listOpen } from '../../src/store/fleet/agent-occurrence.ts'
import { basic } from '../server/http.ts'
import { temporaryFolder } from './cli.ts'
import { createKey } from './create-key.ts'
import { distinctReport } from './distinct-report.ts'
import { findPidNamespace, reltFile, type Started, start } from './process.ts'
import { ServerProcess } from './server-process.ts'

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** A server with one user, an agent's home on the same machine, and the environment of the agent's processes. */
async function prepare() {
  const [home, agentHome] = [temporaryFolder(), temporaryFolder()]
  const store = { env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: nowSeconds }
  const admin = await openAdmin(store)
  await admin.addUser({ login: 'ada', role: 'user', plan: 'pro' })
  const password = await createKey(store, 'ada')
  await admin.close()
  const server = new ServerProcess(home)
  await server.start()
  const bin = join(agentHome, 'bin')
  mkdirSync(bin)
  const env = {
    ...{ RELT_HOME: agentHome, PATH: bin, RELT_LOG_LEVEL: 'info' },
    ...{ RELT_SERVER: server.url, RELT_USERNAME: 'ada', RELT_PASSWORD: password },
  }
  return { home, agentHome, bin, env, server, authorization: basic('ada', password) }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/**
 * `relt agent run` in a process of its own, started again after it was killed: where the system allows it, every other time
 * in a namespace of process ids.
 */
class AgentProcess {
  readonly #env: Record<string, string>
  readonly #argv: string[]
  readonly #namespace = findPidNamespace()
  #process: Started | undefined
  #starts = 0
  /** What all its processes have logged. */
  log = ''

  constructor(env: Record<string, string>, config: string) {
    this.#env = env
    this.#argv = ['agent', 'run', '--config', config]
  }

  /** Resolves when the agent has read its jobs. */
  async start(): Promise<void> {
    const isInNamespace = this.#starts++ % 2 === 1
    this.#process = start(reltFile, this.#argv, this.#env, isInNamespace ? this.#namespace : [])
    const { child, finished } = this.#process
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    child.stderr?.on('data', (text: string) => {
      this.log += text
      if (this.log.includes('agent started')) resolve()
    })
    finished.then(({ stderr }) => reject(new Error(`The agent has ended: ${stderr}`)), reject)
    await promise
    this.log = ''
  }

  async kill(): Promise<void> {
    this.#process?.child.kill('SIGKILL')
    await this.#process?.finished
  }
}

/** Waits until it holds, and says what did not. */
async function until(what: string, holds: () => boolean | Promise<boolean>, seconds = 900): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Not within ${seconds} s: ${what}`)
    await sleep(200)
  }
}

/** Clusters of the stored runs, with the number of runs. */
async function runsByCluster(home: string): Promise<Map<string, number>> {
  const db = await openDatabase(join(home, 'relt.db'))
  try {
    const rows = await db
      .selectFrom('run')
      .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
      .select(({ fn }) => ['cluster.name', fn.countAll<number>().as('runs')])
      .groupBy('cluster.name')
      .execute()
    return new Map(rows.map(({ name, runs }) => [name, Number(runs)]))
  } finally {
    await db.destroy()
  }
}

const isEmptySpool = ({ agentHome, env }: Prepared): boolean =>
  new Spool({ ...env, RELT_HOME: agentHome, RELT_KEYCHAIN: 'off' }, () => {}).list().length === 0

/** Each scan has another report, and another duration. */
const scanner = `#!/bin/sh
for each in "$@"; do case "$each" in --output-path=*) folder=\${each#*=} ;; esac; done
/bin/sleep "0.$(($$ % 10))"
printf '{"metadata":{"clusterName":"x"},"checks":{"SEC003":{"ID":"SEC003","Name":"Root","Severity":"high","Total":1,"Items":[{"Namespace":"shop","Resource":"pod/scan-%s","Message":"runs as root"}]}}}' "$$" >"$folder/kubebuddy-report-20261122-120000.json"
`

interface Kills {
  kills: number
  seed: number
}

/** Jobs that are triggered one after another, so that work waits at each kill. Each scans a cluster of its own, once. */
const waiting = 12
const maxJobs = 1000

/**
 * An agent scans and is killed at random moments, while its server is killed and comes back. Then each occurrence has ended
 * once, and the cluster of each has one run, or none if the occurrence failed.
 */
export async function killScanningAgent({ kills, seed }: Kills): Promise<void> {
  const prepared = await prepare()
  const { home, agentHome, bin, env, server, authorization } = prepared
  writeFileSync(join(bin, 'kubebuddy'), scanner, { mode: 0o755 })
  await createProfile(server, authorization)
  const jobs = Array.from({ length: maxJobs }, (_, i) => `job-${i}`)
  const config = join(agentHome, 'agent.yaml')
  const lines = jobs.map((name) => `  - {name: ${name}, every: 366d, profile: all, cluster: ${name}}\n`)
  writeFileSync(config, `jobs:\n${lines.join('')}`)
  const agent = new AgentProcess(env, config)
  const random = generator(seed)
  await agent.start()
  const db = await openDatabase(join(agentHome, 'relt.db'))
  let triggered = 0
  let isEnding = false
  const keepTriggering = async () => {
    while (!isEnding && triggered < maxJobs) {
      const open = await listOpen(db)
      if (open.filter(({ state }) => state === 'pending').length < waiting) await trigger(db, jobs[triggered++]!)
      else await sleep(100)
    }
  }
  const keepRestarting = async () => {
    while (!isEnding) {
      await sleep(1000 + random() * 6000)
      await server.kill()
      await sleep(random() * 3000)
      await server.start()
    }
  }
  const background = Promise.all([keepTriggering(), keepRestarting()])
  try {
    for (let i = 0; i < kills; i++) {
      await sleep(random() * 3000)
      await agent.kill()
      await agent.start()
    }
    isEnding = true
    await background
    // An occurrence that was interrupted waits until its lease has expired.
    await until('every occurrence has ended', async () => (await listOpen(db)).length === 0)
    await until('every upload is sent', () => isEmptySpool(prepared))
    await checkOccurrences(db, { jobs: jobs.slice(0, triggered), runs: await runsByCluster(home) })
  } finally {
    isEnding = true
    await background.catch(() => {})
    await agent.kill()
    await server.kill()
    await db.destroy()
  }
}

async function createProfile(server: ServerProcess, authorization: string): Promise<void> {
  const response = await fetch(`${server.url}/cluster-configs`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'all', cluster_name: 'all', provider: 'kubernetes', settings: {} }),
  })
  expect(response.ok, await response.text()).toBe(true)
}

async function trigger(db: Db, job: string): Promise<void> {
  const occurrence = { job, cause: 'trigger', due_at: nowSeconds(), state: 'pending', late_seconds: 0 } as const
  await addOccurrence(db, { ...occurrence, detail: null })
}

async function checkOccurrences(db: Db, { jobs, runs }: { jobs: string[]; runs: Map<string, number> }): Promise<void> {
  const history = await listHistory(db, { limit: 10_000 })
  expect(history.map(({ job }) => job).sort()).toEqual([...jobs].sort())
  const wrong = history.filter(({ job, state, detail }) => {
    const stored = runs.get(job) ?? 0
    return state === 'done' ? stored !== 1 : state !== 'failed' || stored > 1 || detail === null
  })
  expect(wrong).toEqual([])
  // Kills come faster than scans: an occurrence is given up after three of them. The server may be down for longer than an
  // agent tries to read its profile. Nothing else fails.
  const isKilled = /^Interrupted | does not answer: nothing listens there\./
  expect(history.filter(({ state, detail }) => state === 'failed' && !isKilled.test(detail ?? ''))).toEqual([])
  expect(history.filter(({ state }) => state === 'done').length).toBeGreaterThan(jobs.length / 4)
  expect(history.some(({ attempts }) => attempts > 1)).toBe(true)
}

interface Drops extends Kills {
  files: number
}

/** What the files of a burst are. Those of the first three kinds are good in the end. */
const kinds = [
  ...Array.from({ length: 12 }, () => 'whole'),
  ...['half', 'replaced', 'hard-link', 'copy', 'symbolic-link', 'broken', 'cut-off', 'foreign'],
] as const

/**
 * Files come in bursts into a folder that an agent watches, while the agent is killed. Then each good content has one run, and
 * each bad one is refused once.
 */
export async function killWatchingAgent({ files, kills, seed }: Drops): Promise<void> {
  const prepared = await prepare()
  const { home, agentHome, env, server } = prepared
  const folder = join(agentHome, 'drop')
  mkdirSync(folder)
  const config = join(agentHome, 'agent.yaml')
  writeFileSync(config, `jobs:\n  - {name: drop, watch: {folder: ${folder}}}\n`)
  const agent = new AgentProcess(env, config)
  const random = generator(seed)
  const [good, maybe] = [new Set<string>(), new Set<string>()]
  let [bad, number] = [0, 0]
  const drop = async (count: number) => {
    const halves: (() => void)[] = []
    for (const end = number + count; number < end; number++) {
      const kind = kinds[number % kinds.length]!
      const path = join(folder, `report-${number}.json`)
      const cluster = `c-${number}`
      const text = toText(number, cluster)
      const isGood = ['whole', 'half', 'replaced', 'hard-link', 'copy'].includes(kind)
      if (isGood) good.add(cluster)
      else bad++
      if (kind === 'whole') writeFileSync(path, text)
      else if (kind === 'half') {
        writeFileSync(path, text.slice(0, text.length / 2))
        halves.push(() => writeFileSync(path, text))
      } else if (kind === 'replaced') {
        maybe.add(`${cluster}-old`)
        writeFileSync(path, toText(number, `${cluster}-old`))
        writeFileSync(`${path}.new`, text)
        halves.push(() => renameSync(`${path}.new`, path))
      } else if (kind === 'hard-link') {
        writeFileSync(path, text)
        linkSync(path, join(folder, `link-${number}.json`))
      } else if (kind === 'copy')
        for (const each of [path, join(folder, `copy-${number}.json`)]) writeFileSync(each, text)
      else if (kind === 'symbolic-link') symlinkSync(config, path)
      else if (kind === 'broken') writeFileSync(path, `{"checks": [${number}}`)
      else if (kind === 'foreign') writeFileSync(path, `{"checks": {}, "number": ${number}}`)
      else {
        writeFileSync(path, text.slice(0, text.length / 2))
        utimesSync(path, nowSeconds() - 3600, nowSeconds() - 3600)
      }
    }
    await sleep(200 + random() * 3000)
    for (const finish of halves) finish()
  }
  await agent.start()
  const db = await openDatabase(join(agentHome, 'relt.db'))
  try {
    for (let i = 0; i < kills; i++) {
      await drop(Math.floor(files / kills))
      await sleep(random() * 5000)
      await agent.kill()
      await agent.start()
    }
    const isLeft = (name: string) => name.endsWith('.json')
    await until('the folder is empty', () => !readdirSync(folder).some(isLeft), 3000)
    await until('every upload is sent', () => isEmptySpool(prepared))
    const runs = await runsByCluster(home)
    expect([...runs].filter(([, count]) => count !== 1)).toEqual([])
    expect([...good].filter((cluster) => !runs.has(cluster))).toEqual([])
    expect([...runs.keys()].filter((cluster) => !good.has(cluster) && !maybe.has(cluster))).toEqual([])
    const rows = await db.selectFrom('agent_file').select(['name', 'outcome']).execute()
    expect(rows.filter(({ outcome }) => outcome === 'done')).toHaveLength(runs.size)
    expect(rows.filter(({ outcome }) => outcome === 'refused')).toHaveLength(bad)
    const history = await listHistory(db, { limit: 100_000 })
    expect(history.filter(({ state }) => state === 'done')).toHaveLength(runs.size)
    expect(history.filter(({ state }) => state === 'failed')).toHaveLength(bad)
    const refused = readdirSync(join(folder, 'refused'))
    expect(refused.filter(isLeft)).toHaveLength(bad)
    expect(
      refused.filter((name) => isLeft(name) && !existsSync(join(folder, 'refused', `${name}.reason.txt`))),
    ).toEqual([])
  } finally {
    await agent.kill()
    await server.kill()
    await db.destroy()
  }
}

const toText = (number: number, cluster: string): string =>
  JSON.stringify({ cluster: { name: cluster }, report: distinctReport(number, 30) })
