import { ReltError } from '../errors.ts'
import type { Env } from './env.ts'

/** `RELT_DELIVERY`: `off` keeps notifications in the outbox. Throws `usage`. */
export function isDeliveryOn(env: Env) {
  const text = env.RELT_DELIVERY?.trim() || 'on'
  if (text === 'on' || text === 'off') return text === 'on'
  throw new ReltError('usage', `RELT_DELIVERY is neither on nor off: "${text}".`)
}
