import type { RouteCaller } from '../../../client/client.ts'
import type { KeyScope } from '../../../contract/api-key.ts'
import { keyScopes } from '../../../contract/choices.ts'
import type { ReceivedApiKey } from '../../../contract/received/api-key.ts'
import { ReltError } from '../../../errors.ts'
import { formatTimestamp, parseTimestamp } from '../../../util/time.ts'
import type { OptionsOf } from '../../program/options.ts'

/** Input of `createKey`; without fields that other servers may not know, unless requested. */
export interface NewKeyRequest {
  name: string
  expires_at?: string
  scope?: KeyScope
}

/** Options for creating a key. */
export const keyOptions = (defaults = { expires: 'never', scope: 'all' }) => ({
  '--expires <when>': `expiry of the key: 12h, 90d, 8w, 1y, a date, or never (default: ${defaults.expires})`,
  '--scope <scope>': {
    help: `read: read-only access; upload: only upload reports; all: full access (default: ${defaults.scope})`,
    choices: keyScopes,
  },
})

export type KeyOptions = OptionsOf<ReturnType<typeof keyOptions>>

/** `now` is in unix seconds. Throws `usage` for an invalid or past time. */
export function wantedKey(name: string, { expires, scope }: KeyOptions, now: number): NewKeyRequest {
  const expires_at = expires === undefined ? undefined : readExpiry(expires, now)
  return { name, ...(expires_at !== undefined && { expires_at }), ...(scope && scope !== 'all' && { scope }) }
}

const unitSeconds = { h: 3600, d: 86_400, w: 604_800, y: 31_536_000 }

function readExpiry(text: string, now: number) {
  if (text === 'never') return undefined
  const [, count, unit] = /^(\d{1,4})([hdwy])$/.exec(text) ?? []
  const seconds = unit ? now + Number(count) * unitSeconds[unit as keyof typeof unitSeconds] : parseTimestamp(text)
  if (seconds === undefined || seconds <= now) {
    throw new ReltError('usage', `--expires ${text} is not in the future.`, {
      hint: 'Use 12h, 90d, 8w, 1y, 2030-01-31 or never.',
    })
  }
  // Timestamps end with the year 9999.
  return formatTimestamp(Math.min(seconds, 253_402_300_799))
}

/** A server that ignores expiry or scope issues a key without limits: revokes it, then throws `bad_answer`. */
export async function requireGranted(
  client: RouteCaller,
  wanted: NewKeyRequest,
  { uuid, expires_at, scope }: ReceivedApiKey,
) {
  const isScoped = wanted.scope === undefined || wanted.scope === scope
  const expires = wanted.expires_at === undefined || wanted.expires_at === expires_at
  if (isScoped && expires) return
  await client.call('revokeKey', { params: { uuid } })
  const missing = [!isScoped && 'scopes', !expires && 'expiry'].filter(Boolean).join(' or ')
  throw new ReltError('bad_answer', `The server does not support key ${missing}. The new key was revoked.`)
}
