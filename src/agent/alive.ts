import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'

/** Seconds between two updates of the file. */
const noteSeconds = 20
/** Without a turn for this long, the agent's loop has stopped. */
export const aliveSeconds = 60

/**
 * The file's time is that of the last turn. A file, because the agent's port may be disabled, and probes run in another
 * process.
 */
const aliveFile = (env: Env): string => join(dataFolder(env), 'agent', 'alive')

/** Records a turn of the loop, at most every `noteSeconds`. An agent with a full disk continues. */
export function noteAlive(env: Env, now: number): void {
  const file = aliveFile(env)
  if (secondsSince(file, now) < noteSeconds) return
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${now}\n`, { mode: 0o600 })
  } catch {
    // A probe then restarts the agent.
  }
}

/** Whether the loop of an agent has turned recently. */
export function isAlive(env: Env, now: number): boolean {
  return secondsSince(aliveFile(env), now) < 2 * aliveSeconds
}

function secondsSince(file: string, now: number): number {
  const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return at === undefined ? Number.POSITIVE_INFINITY : now - at / 1000
}
