import { ReltError } from '../errors.ts'
import { parseDays } from '../util/time.ts'
import type { Env } from './env.ts'

/** `RELT_CATALOG_MAX_AGE`: days for which facts show what is current; undefined if it is not set. Throws `usage`. */
export function readMaxAge({ RELT_CATALOG_MAX_AGE: text }: Env) {
  const days = parseDays(text ?? '')
  if (text && days === undefined) {
    throw new ReltError('usage', `RELT_CATALOG_MAX_AGE is not a number of days: "${text}".`, {
      hint: 'Write a whole number such as 90, at most 9999.',
    })
  }
  return days
}
