import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BackupSettings } from '../config/backup.ts'
import type { Env } from '../config/env.ts'
import { listSeries } from '../operations/store-care/backup.ts'
import type { Logger } from '../util/log.ts'
import { makeFolder } from '../util/make-folder.ts'

interface BackupSchedule {
  settings: BackupSettings
  env: Env
  folder: string
  logger: Logger
  /** Command line that started this program. */
  program: string[]
}

const hourMs = 3_600_000

/**
 * Backs up the store when due, counted from the latest backup of the series; returns a function that stops it. Runs in
 * another process, because checking a large file blocks for seconds.
 */
export function keepBackups({ settings, env, folder, logger, program }: BackupSchedule): () => Promise<unknown> {
  const { everyHours, file, keep } = settings
  if (everyHours === null) return async () => {}
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function backUpWhenDue(): Promise<void> {
    try {
      makeFolder(dirname(file))
      const waitMs = everyHours! * hourMs - ageOfLatest(file)
      if (waitMs > 0) return schedule(waitMs)
      const [command = '', ...args] = [...program, 'admin', 'backup', file, '--keep', String(keep), '--data', folder]
      const error = await run(command, args, env, signal)
      if (signal.aborted) return
      if (error === undefined) logger.info({ file, keep }, 'store backed up')
      else logger.error({ file, error }, 'backup failed')
    } catch (err) {
      logger.error({ err, file }, 'backup failed')
    }
    schedule(everyHours! * hourMs)
  }

  function schedule(waitMs: number): void {
    if (signal.aborted) return
    timer = setTimeout(start, Math.min(waitMs, hourMs))
  }

  function start(): void {
    running = backUpWhenDue()
  }

  start()
  return () => {
    clearTimeout(timer)
    stopping.abort()
    return running
  }
}

/** Infinite without a backup. */
function ageOfLatest(file: string): number {
  const latest = listSeries(file).at(-1)
  return latest === undefined ? Number.POSITIVE_INFINITY : Date.now() - statSync(latest).mtimeMs
}

/** Resolves with the output if the program fails. */
function run(program: string, argv: string[], env: Env, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, argv, {
      env: env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      windowsHide: true,
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2000)
    })
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(code === 0 ? undefined : said.trim() || `exit code ${code}`))
  })
}
