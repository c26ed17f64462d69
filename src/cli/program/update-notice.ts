import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, type Env } from '../../config/env.ts'
import type { Context } from '../../context.ts'
import { plain } from '../../render/terminal/terminal.ts'
import { readOwnFile } from '../../util/own-file.ts'
import { replaceFile } from '../../util/replace-file.ts'
import { daySeconds } from '../../util/time.ts'
import { version } from '../../version.ts'
import { createIo } from '../output/io.ts'

/**
 * Notes that the server runs a newer release: one line on a terminal's standard error, at most once a day. Silent in
 * pipelines and with `RELT_NO_UPDATE_NOTICE`.
 */
export function showUpdateNotice(context: Context, serverVersion: string): void {
  const { env, stderr, now } = context
  const isWanted = 'isTTY' in stderr && stderr.isTTY && !env.CI && !env.TF_BUILD && !env.RELT_NO_UPDATE_NOTICE
  if (!isWanted || !isNewer(serverVersion, version) || !takeTurn(env, now())) return
  const { err, errColor } = createIo(context)
  err(errColor.dim(`relt ${plain(serverVersion)} is available: the server runs it, and this is ${version}.\n`))
}

/** Compares releases only: a server with a pre-release is no reason to update. */
export function isNewer(other: string, own: string): boolean {
  const [a, b] = [toNumbers(other), toNumbers(own)]
  if (!a || !b) return false
  const at = a.findIndex((number, index) => number !== b[index])
  return at >= 0 && a[at]! > b[at]!
}

function toNumbers(text: string): number[] | undefined {
  return /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text)?.slice(1).map(Number)
}

/** False within a day of the last notice, or if its time cannot be stored. */
function takeTurn(env: Env, now: number): boolean {
  const folder = cacheFolder(env)
  const file = join(folder, 'update-notice')
  try {
    const last = Number(readOwnFile(file).toString('utf8'))
    if (last <= now && now - last < daySeconds) return false
  } catch {
    // There was no notice yet.
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    replaceFile(file, String(now))
    return true
  } catch {
    return false
  }
}
