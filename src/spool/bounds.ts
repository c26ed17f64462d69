import { readConfig } from '../config/config-file.ts'
import type { Env } from '../config/env.ts'
import { settings } from '../config/settings.ts'
import { ReltError } from '../errors.ts'
import { parseDuration } from '../util/duration.ts'

/** Limits of the spool, and what is deleted first. */
export interface Bounds {
  count: number
  bytes: number
  /** Maximum age in seconds; undefined for no limit. */
  maxAge: number | undefined
  /** `keep-oldest` rejects a new upload; `keep-newest` deletes corrupt uploads, then rejected ones, then the oldest. */
  whenFull: 'keep-oldest' | 'keep-newest'
}

export const defaultBounds: Bounds = {
  count: 100_000,
  bytes: 1024 * 1024 * 1024,
  maxAge: undefined,
  whenFull: 'keep-oldest',
}

/** From the environment, else from the settings. Throws `usage`. */
export function readBounds(env: Env): Bounds {
  const { settings: file } = readConfig(env)
  const megabytes = fromEnv(env, 'RELT_SPOOL_MAX_SIZE_MB', settings.spool_max_size_mb.parse) ?? file.spool_max_size_mb
  const age = fromEnv(env, 'RELT_SPOOL_MAX_AGE', settings.spool_max_age.parse) ?? file.spool_max_age
  return {
    count: defaultBounds.count,
    bytes: megabytes === undefined ? defaultBounds.bytes : megabytes * 1024 * 1024,
    maxAge: age === undefined ? undefined : parseDuration(age),
    whenFull:
      fromEnv(env, 'RELT_SPOOL_WHEN_FULL', settings.spool_when_full.parse) ??
      file.spool_when_full ??
      defaultBounds.whenFull,
  }
}

function fromEnv<T>(env: Env, name: string, parse: (text: string) => T): T | undefined {
  const text = env[name]
  if (!text) return undefined
  try {
    return parse(text)
  } catch (error) {
    throw new ReltError('usage', `${name} is not valid: ${(error as Error).message}.`)
  }
}
