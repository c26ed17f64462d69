import { ReltError } from '../errors.ts'
import type { Env } from './env.ts'

const defaultDays = 90

/** For how many days a run is kept: `RELT_RETENTION_DAYS`; 0 keeps all. Throws `usage`. */
export function readRetentionDays(env: Env): number {
  const text = env.RELT_RETENTION_DAYS?.trim()
  if (!text) return defaultDays
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new ReltError('usage', `RELT_RETENTION_DAYS is no number of days: "${text}".`, {
    hint: 'Write a whole number such as 90; 0 keeps every run.',
  })
}
