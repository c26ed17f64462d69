import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestServer } from '../test/helpers/postgres.ts'

const ticksPerSecond = 100

/** CPU seconds of a process with all its threads; its ended children are `children`. */
export function ownCpu(pid: number | string, { children = false } = {}): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15)
  return (user + system + (children ? childrenUser + childrenSystem : 0)) / ticksPerSecond
}

/** Of the process and its children that run, which for PostgreSQL are all there are. */
export function treeCpu(pid: number): number {
  let seconds = ownCpu(pid, { children: true })
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const parent = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[1]
      if (Number(parent) === pid) seconds += ownCpu(name)
    } catch {
      // It has just ended, and counts as an ended child the next time.
    }
  }
  return seconds
}

/** The main process of a PostgreSQL server on this machine. */
export async function findPostmaster(server: TestServer): Promise<number> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  const { rows } = await client.query(`select current_setting('data_directory') as folder`)
  await client.end()
  return Number(readFileSync(join(rows[0].folder, 'postmaster.pid'), 'utf8').split('\n')[0])
}
