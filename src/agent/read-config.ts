import { existsSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { configFolder, dataFolder, type Env } from '../config/env.ts'
import { checkOnce, reportIssues } from '../declarative/report-issues.ts'
import { YamlSource } from '../declarative/source.ts'
import { YamlValues } from '../declarative/yaml-value.ts'
import { ReltError } from '../errors.ts'
import { unreadable } from '../util/file-error.ts'
import { isObject } from '../util/json.ts'
import { isTimeZone } from '../util/local-time.ts'
import { readOwnFile } from '../util/own-file.ts'
import { AgentConfig, AgentJob, configKeys } from './config.ts'
import { cronSchedule, intervalSchedule, type Schedule } from './schedule.ts'

/** A job with its schedule; a watched folder has none. */
export interface ScheduledJob extends AgentJob {
  times: Schedule | undefined
}

export interface ReadConfig extends Omit<AgentConfig, 'jobs'> {
  file: string
  jobs: ScheduledJob[]
}

interface ReadOptions {
  /** Seed for `H` and `every`; default: the name of this machine. */
  machine?: string | undefined
}

const maxBytes = 1024 * 1024

/** The configuration of an agent that runs as a system service (systemd). */
export const machineConfigFile = '/etc/relt/agent.yaml'
const machineDataFolder = '/var/lib/relt'

/** The default path of `agent.yaml`. Commands in the data folder of the system service use that service's file. */
export function agentConfigFile(env: Env) {
  const file = join(configFolder(env), 'agent.yaml')
  const isOfMachine = resolve(dataFolder(env)) === machineDataFolder
  return isOfMachine && !existsSync(file) ? machineConfigFile : file
}

/** Reads and validates `agent.yaml`. Throws `usage` with all problems and their lines. */
export function readAgentConfig(file: string, options: ReadOptions = {}): ReadConfig {
  return parseAgentConfig(readConfigText(file), file, options)
}

export function parseAgentConfig(yaml: string, file: string, { machine = hostname() }: ReadOptions = {}): ReadConfig {
  const source = new YamlSource(yaml, file)
  const root = source.document.contents
  const values = root === null ? {} : new YamlValues(source).valueOf(root)
  source.throwProblems()
  const { data, error } = AgentConfig.safeParse(values)
  reportIssues(source, error?.issues ?? [], (path) => configKeys[toPart(path)])
  const read = data?.jobs ?? readableJobs(values)
  const jobs = read.flatMap((job, index) => (job ? [scheduled(job, source, { index, machine })] : []))
  checkOnce(
    source,
    'jobs',
    read.map((job, index) => ({ name: job?.name ?? `#${index}` })),
    (name) => name,
  )
  source.throwProblems()
  return { ...data!, file, jobs }
}

/** Valid jobs in a file with errors, so that one pass finds all errors. */
function readableJobs(values: unknown) {
  const jobs = isObject(values) ? values.jobs : undefined
  return Array.isArray(jobs) ? jobs.map((job) => AgentJob.safeParse(job).data) : []
}

function toPart(path: (string | number)[]) {
  const last = path.findLast((key) => typeof key === 'string') ?? ''
  return last in configKeys ? (last as keyof typeof configKeys) : ''
}

/** The job with its schedule. An invalid schedule becomes a problem. */
function scheduled(
  job: AgentJob,
  source: YamlSource,
  { index, machine }: { index: number; machine: string },
): ScheduledJob {
  const { name, schedule, every } = job
  const seed = JSON.stringify([machine, name])
  if (every !== undefined) return { ...job, times: intervalSchedule(every, seed) }
  if (schedule === undefined) return { ...job, times: undefined }
  try {
    const { time_zone: timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone } = job
    return { ...job, times: cronSchedule({ pattern: schedule, timeZone, seed }) }
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
    const key = job.time_zone === undefined || isTimeZone(job.time_zone) ? 'schedule' : 'time_zone'
    source.problem(['jobs', index, key], `${key}: ${error.message}`)
    return { ...job, times: undefined }
  }
}

/** Throws `usage` for an unreadable file. */
function readConfigText(file: string) {
  try {
    const text = readOwnFile(file, maxBytes).toString('utf8')
    refuseWritable(file)
    return text
  } catch (cause) {
    if (cause instanceof ReltError) throw cause
    throw unreadable(file, cause, 'Create it as docs/agent.md shows, or pass --config FILE.')
  }
}

/**
 * The file names programs that the agent runs, so, as with SSH, it must belong to this account or root, and not be writable
 * by others.
 */
function refuseWritable(file: string) {
  if (process.platform === 'win32') return
  const { mode, uid } = statSync(file)
  const own = process.geteuid!()
  // Root may read the file of a service to show its status.
  if (own !== 0 && uid !== own && uid !== 0) {
    throw new ReltError('usage', `${file} belongs to another account, which so runs programs as the agent.`, {
      hint: `Run: chown ${own} ${file}`,
    })
  }
  if ((mode & 0o022) === 0) return
  throw new ReltError('usage', `Other accounts can write ${file}, and so run programs as the agent.`, {
    hint: `Run: chmod go-w ${file}`,
  })
}
