import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder, type Env } from '../config/env.ts'
import { unwritable } from '../util/file-error.ts'
import { makeFolder } from '../util/make-folder.ts'
import { replaceFile } from '../util/replace-file.ts'

/** Without a turn for this long, the agent's loop has stopped. */
export const aliveSeconds = 60
/** An agent looks for probes every 2 s, on a busy machine later. */
const patienceMs = 10_000

/**
 * A probe runs in another process, and the agent's port may be disabled. The probe writes one file, and the agent answers by
 * writing the other, so that an idle agent writes nothing. The times of the files tell which is newer.
 */
const probeFile = (env: Env) => join(dataFolder(env), 'agent', 'probe')
const aliveFile = (env: Env) => join(dataFolder(env), 'agent', 'alive')

/** Answers the last probe, if it has no answer yet. An agent with a full disk continues. */
export function answerProbe(env: Env) {
  if (changedAt(probeFile(env)) <= changedAt(aliveFile(env))) return
  try {
    write(aliveFile(env))
  } catch {
    // The probe fails, and what started the agent may restart it.
  }
}

/** Asks the agent whether its loop turns; false without an answer in time. Throws `usage` if its folder cannot be written. */
export async function probeAgent(env: Env): Promise<boolean> {
  const file = probeFile(env)
  try {
    write(file)
  } catch (cause) {
    throw unwritable(file, cause)
  }
  const askedAt = changedAt(file)
  const end = performance.now() + patienceMs
  while (changedAt(aliveFile(env)) < askedAt) {
    if (performance.now() > end) return false
    await sleep(100)
  }
  return true
}

function write(file: string) {
  makeFolder(dirname(file))
  replaceFile(file, '')
}

/** In milliseconds, by the clock of the file system; before all times if there is no file. */
function changedAt(file: string) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
}
