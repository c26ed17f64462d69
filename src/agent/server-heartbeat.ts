import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { RouteInput } from '../contract/routes.ts'
import { findMeta, setMeta } from '../db/meta.ts'
import type { Db } from '../db/open.ts'
import { ReltError } from '../errors.ts'
import { listJobs } from '../store/fleet/agent-job.ts'
import { listLastEnded, type Occurrence } from '../store/fleet/agent-occurrence.ts'
import { daySeconds, formatTimestamp } from '../util/time.ts'
import { version } from '../version.ts'
import { toInterval } from './interval.ts'
import { nextStart } from './occurrences.ts'
import type { Connection, PerformContext } from './perform.ts'
import type { ScheduledJob } from './read-config.ts'
import { sourceFor } from './sources/index.ts'

export interface ServerHeartbeatOptions extends Pick<PerformContext, 'connect' | 'env' | 'now'> {
  db: Db
  countWaiting: () => number
}

type Heartbeat = RouteInput<'agentHeartbeat'>['body']
type JobReport = Heartbeat['jobs'][number]

const maxYear = 366 * daySeconds

/**
 * Reports the agent to each server that its jobs use. Skips servers without the route. Returns failures by server URL; the
 * local store needs no report.
 */
export async function sendServerHeartbeats(options: ServerHeartbeatOptions, jobs: ScheduledJob[]) {
  const failures: { url: string; error: Error }[] = []
  for (const { connection, jobs: ofServer } of await byServer(options, jobs)) {
    const { client, server } = connection
    try {
      const body = await heartbeatFor(options, connection, ofServer)
      const { server_version } = await client.call('agentHeartbeat', { body })
      await noteVersion(options.db, server_version)
    } catch (error) {
      if (error instanceof ReltError && error.code === 'not_found') continue
      failures.push({ url: server!.url, error: error as Error })
    }
  }
  return failures
}

interface ServerJobs {
  connection: Connection
  jobs: ScheduledJob[]
}

async function byServer({ connect }: ServerHeartbeatOptions, jobs: ScheduledJob[]) {
  const servers = new Map<string, ServerJobs>()
  for (const [name, ofName] of Map.groupBy(jobs, ({ server }) => server)) {
    // Jobs with an unknown server fail by themselves, with the reason.
    const connection = await connect(name).catch(() => undefined)
    if (!connection?.server) continue
    const { url } = connection.server
    const known = servers.get(url)
    if (known) known.jobs.push(...ofName)
    else servers.set(url, { connection, jobs: [...ofName] })
  }
  return [...servers.values()]
}

async function heartbeatFor(
  options: ServerHeartbeatOptions,
  connection: Connection,
  jobs: ScheduledJob[],
): Promise<Heartbeat> {
  const { db, now, countWaiting } = options
  const [stored, ended] = [await listJobs(db), await listLastEnded(db)]
  const reports = await Array.fromAsync(jobs, async (job): Promise<JobReport> => {
    const known = stored.find(({ name }) => name === job.name)
    const last = ended.filter((each) => each.job === job.name).toSorted((a, b) => a.id - b.id)
    const next = known?.isPaused ? undefined : nextStart(job, Math.max(known?.watermark ?? 0, now()))
    // A paused job is not expected to report.
    const every = known?.isPaused ? undefined : toInterval(job, now())
    return {
      name: job.name,
      ...(await clusterFor(options, connection, job)),
      ...(every !== undefined && { expected_every: Math.min(every, maxYear) }),
      ...(next !== undefined && { next_at: formatTimestamp(next) }),
      ...outcomeFor(last.at(-1)),
    }
  })
  return {
    agent_id: await agentId(db),
    host: hostname().slice(0, 253) || 'unknown',
    version,
    uploads_waiting: countWaiting(),
    jobs: reports,
  }
}

function outcomeFor(last: Occurrence | undefined): Pick<JobReport, 'last_outcome' | 'last_at'> {
  if (!last || last.state === 'pending' || last.state === 'running') return {}
  return { last_outcome: last.state, ...(last.finished_at !== null && { last_at: formatTimestamp(last.finished_at) }) }
}

/** The cluster of a job, or of its source. */
async function clusterFor(
  { env }: ServerHeartbeatOptions,
  connection: Connection,
  job: ScheduledJob,
): Promise<Pick<JobReport, 'cluster_name' | 'environment'>> {
  const { source, from } = sourceFor(job)
  const found = await source.placeFor(from, { env, connection, context: job.context }).catch(() => undefined)
  const { cluster = found?.cluster ?? (found && job.context), environment = found?.environment } = job
  return cluster === undefined ? {} : { cluster_name: cluster, environment: environment || 'prod' }
}

/** Stays the same across restarts; agents on one store are one agent. */
async function agentId(db: Db) {
  const known = await findMeta(db, 'agent_id')
  if (known !== undefined) return known
  const id = randomUUID()
  await setMeta(db, 'agent_id', id)
  return id
}

/** Remembers that a server runs a newer relt. */
async function noteVersion(db: Db, found: unknown) {
  if (typeof found !== 'string' || !(await isNewer(found, version))) return
  const known = await findMeta(db, 'newer_relt')
  if (known === undefined || (await isNewer(found, known))) await setMeta(db, 'newer_relt', found)
}

/** The newest version of relt that a server reported, if newer than this one. */
export async function findNewerRelt(db: Db) {
  const known = await findMeta(db, 'newer_relt')
  return known !== undefined && (await isNewer(known, version)) ? known : undefined
}

async function isNewer(found: string, than: string) {
  if (found === than) return false
  const { compareVersions, parseVersion } = await import('../freshness/versions.ts')
  const [a, b] = [parseVersion(found), parseVersion(than)]
  return a !== undefined && b !== undefined && compareVersions(a, b) > 0
}
