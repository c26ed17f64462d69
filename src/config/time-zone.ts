import { ReltError } from '../errors.ts'
import { isTimeZone } from '../util/local-time.ts'
import type { Env } from './env.ts'

/** Reads `RELT_TIME_ZONE`; undefined means the zone of the machine. Throws `usage`. */
export function readTimeZone(env: Env): string | undefined {
  const name = env.RELT_TIME_ZONE?.trim()
  if (!name || isTimeZone(name)) return name || undefined
  throw new ReltError('usage', `RELT_TIME_ZONE is not a time zone: "${name}".`, { hint: 'Such as Europe/Berlin.' })
}
