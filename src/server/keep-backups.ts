import { execFile } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BackupSettings } from '../config/backup.ts'
import type { Env } from '../config/env.ts'
import type { Logger } from '../util/log.ts'
import { makeFolder } from '../util/make-folder.ts'

interface BackupSchedule {
  settings: BackupSettings
  env: Env
  /** Data folder of the store. */
  data: string
  logger: Logger
  /** Command line that started this program. */
  program: string[]
}

const hourMs = 3_600_000

/**
 * Backs up the store when the latest backup is old enough, and removes older ones; returns a function that stops it. Runs
 * `relt admin backup` in another process, because checking a large file blocks for seconds.
 */
export function keepBackups({ settings, env, data, logger, program }: BackupSchedule): () => Promise<unknown> {
  const { everyHours, folder, keep } = settings
  if (everyHours === null) return async () => {}
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function backUpWhenDue() {
    let waitMs = everyHours! * hourMs
    try {
      makeFolder(folder)
      const latest = listBackups(folder).at(-1)
      if (latest) waitMs -= Date.now() - statSync(latest).mtimeMs
      if (!latest || waitMs <= 0) {
        await backUp()
        waitMs = everyHours! * hourMs
      }
    } catch (error) {
      if (signal.aborted) return
      const { stderr, message } = error as { stderr?: string; message: string }
      logger.error({ folder, error: stderr?.trim() || message }, 'backup failed')
    }
    if (!signal.aborted) timer = setTimeout(start, Math.min(waitMs, hourMs))
  }

  async function backUp() {
    const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
    const file = join(folder, `relt-${time}.db`)
    const [command = '', ...args] = [...program, 'admin', 'backup', file, '--data', data]
    await promisify(execFile)(command, args, { env, signal, windowsHide: true })
    for (const old of listBackups(folder).slice(0, -keep)) rmSync(old, { force: true })
    logger.info({ file, keep }, 'store backed up')
  }

  function start() {
    running = backUpWhenDue()
  }

  start()
  return () => {
    clearTimeout(timer)
    stopping.abort()
    return running
  }
}

/** Oldest first. */
function listBackups(folder: string) {
  return readdirSync(folder)
    .filter((name) => /^relt-\d{8}-\d{6}\.db$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}
