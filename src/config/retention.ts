import { ReltError } from '../errors.ts'
import type { Env } from './env.ts'

/** For how many days what a store collects is kept; 0 keeps all. */
export interface RetentionDays {
  runs: number
  /** Notifications, and the events that they are about. */
  deliveries: number
  audit: number
}

/** `RELT_RETENTION_DAYS`, of runs, and the same with `_DELIVERIES` and `_AUDIT`. Throws `usage`. */
export function readRetentionDays(env: Env): RetentionDays {
  return {
    runs: readDays(env, 'RELT_RETENTION_DAYS', 90),
    deliveries: readDays(env, 'RELT_RETENTION_DAYS_DELIVERIES', 90),
    audit: readDays(env, 'RELT_RETENTION_DAYS_AUDIT', 365),
  }
}

function readDays(env: Env, name: string, usual: number): number {
  const text = env[name]?.trim()
  if (!text) return usual
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new ReltError('usage', `${name} is not a number of days: "${text}".`, {
    hint: `Use a whole number such as ${usual}; 0 keeps everything.`,
  })
}
