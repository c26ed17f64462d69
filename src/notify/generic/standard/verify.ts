import { timingSafeEqual } from 'node:crypto'
import { toSignature } from './sign.ts'

const toleranceSeconds = 300

export interface ReceivedWebhook {
  /** Header names are in lower case. */
  headers: Record<string, string | string[] | undefined>
  /** The raw body, byte for byte. */
  body: string
}

/** Why a webhook cannot be trusted; undefined if one of the secrets signed it within five minutes of `now`. */
export function problemOfWebhook(
  { headers, body }: ReceivedWebhook,
  secrets: readonly string[],
  now: number,
): string | undefined {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string') return 'it has no webhook-id or webhook-timestamp'
  if (typeof signatures !== 'string') return 'it has no webhook-signature'
  if (!/^\d{1,12}$/.test(timestamp)) return 'its webhook-timestamp is not a number of seconds'
  if (Math.abs(Number(timestamp) - now) > toleranceSeconds) return 'its webhook-timestamp is more than 5 minutes off'
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []))
  const expected = secrets.map((secret) => toSignature(secret, `${id}.${timestamp}.${body}`))
  return given.some((each) => expected.some((other) => isEqual(each, other)))
    ? undefined
    : 'its signature does not match'
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
