import { ReltError } from '../errors.ts'
import type { Env } from './env.ts'

/** How many days data is kept; 0 means forever. */
export interface RetentionDays {
  runs: number
  /** Notifications, and their events. */
  deliveries: number
  audit: number
}

/** Reads `RELT_RETENTION_DAYS`, for runs, and the variables with the suffixes `_DELIVERIES` and `_AUDIT`. Throws `usage`. */
export function readRetentionDays(env: Env): RetentionDays {
  return {
    runs: readDays(env, 'RELT_RETENTION_DAYS', 90),
    deliveries: readDays(env, 'RELT_RETENTION_DAYS_DELIVERIES', 90),
    audit: readDays(env, 'RELT_RETENTION_DAYS_AUDIT', 365),
  }
}

function readDays(env: Env, name: string, usual: number) {
  const text = env[name]?.trim()
  if (!text) return usual
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new ReltError('usage', `${name} is not a number of days: "${text}".`, {
    hint: `Use a whole number such as ${usual}; 0 keeps everything.`,
  })
}
