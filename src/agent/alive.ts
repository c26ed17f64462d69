import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'

/** Between two notes. */
const noteSeconds = 20
/** The loop of an agent that does not turn for this long has stopped. */
export const aliveSeconds = 60

/** Its time is that of the last turn. The port of the agent may be off, and a probe runs in another process. */
const aliveFile = (env: Env): string => join(dataFolder(env), 'agent', 'alive')

/** Notes a turn of the loop now and then. An agent whose disk is full goes on. */
export function noteAlive(env: Env, now: number): void {
  const file = aliveFile(env)
  if (secondsSince(file, now) < noteSeconds) return
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${now}\n`, { mode: 0o600 })
  } catch {
    // A probe then restarts it.
  }
}

/** Whether the loop of an agent has turned lately. */
export function isAlive(env: Env, now: number): boolean {
  return secondsSince(aliveFile(env), now) < 2 * aliveSeconds
}

function secondsSince(file: string, now: number): number {
  const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return at === undefined ? Number.POSITIVE_INFINITY : now - at / 1000
}
