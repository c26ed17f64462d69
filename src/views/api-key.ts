import { expirySoonDays } from '../contract/thresholds.ts'
import { daySeconds, parseTimestamp, type UnixSeconds } from '../util/time.ts'
import type { Tone } from './said.ts'

interface Expiring {
  expires_at: string | null
}

/** Also true if it has expired already. */
export function expiresSoon({ expires_at }: Expiring, now: UnixSeconds) {
  const end = expires_at === null ? undefined : parseTimestamp(expires_at)
  return end !== undefined && end - now <= expirySoonDays * daySeconds
}

export const expiryTone = (key: Expiring, now: UnixSeconds): Tone | undefined =>
  expiresSoon(key, now) ? 'warn' : undefined
