import { readConfig } from '../config/config-file.ts'
import type { Env } from '../config/env.ts'
import { settings } from '../config/settings.ts'
import { ReltError } from '../errors.ts'

/** Limits of the spool. A full spool rejects new uploads. */
export interface Bounds {
  count: number
  bytes: number
}

export const defaultBounds: Bounds = {
  count: 100_000,
  bytes: 1024 * 1024 * 1024,
}

/** From the environment, else from the settings. Throws `usage`. */
export function readBounds(env: Env) {
  const { settings: file } = readConfig(env)
  const megabytes = fromEnv(env, 'RELT_SPOOL_MAX_SIZE_MB', settings.spool_max_size_mb.parse) ?? file.spool_max_size_mb
  return {
    count: defaultBounds.count,
    bytes: megabytes === undefined ? defaultBounds.bytes : megabytes * 1024 * 1024,
  }
}

function fromEnv<T>(env: Env, name: string, parse: (text: string) => T) {
  const text = env[name]
  if (!text) return undefined
  try {
    return parse(text)
  } catch (error) {
    throw new ReltError('usage', `${name} is not valid: ${(error as Error).message}.`)
  }
}
