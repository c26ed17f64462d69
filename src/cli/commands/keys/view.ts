import type { ReceivedApiKey } from '../../../contract/received/api-key.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { until, when } from '../../../util/ago.ts'
import { expiryTone } from '../../../views/api-key.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'

type NamedKey = Pick<ReceivedApiKey, 'uuid' | 'name' | 'created'>
type Limits = Pick<ReceivedApiKey, 'expires_at' | 'scope' | 'last_used'>

export const keyColumns = (io: Io, now: number): Column<NamedKey & Limits>[] => [
  { title: 'UUID', value: (key) => key.uuid },
  { title: titles.name, value: (key) => key.name, style: (cell) => io.color.bold(cell), min: 8 },
  { title: titles.scope, value: (key) => key.scope },
  { title: titles.created, value: (key) => when(key.created, { isTerminal: io.isTerminal, now }), from: 120 },
  {
    title: titles.expires,
    value: (key) => expiryFor(key, { isTerminal: io.isTerminal, now }),
    style: (cell, key) => paint(io, expiryTone(key, now))(cell),
  },
  { title: titles.last_used, value: (key) => toLastUse(key, { isTerminal: io.isTerminal, now }), from: 100 },
]

/** `never` for a key that does not expire; null if the server does not support expiry. */
export function expiryFor(
  { expires_at, scope }: Pick<Limits, 'expires_at' | 'scope'>,
  { isTerminal, now }: { isTerminal: boolean; now: number },
): string | null {
  if (expires_at === null) return scope === null ? null : 'never'
  return isTerminal ? until(expires_at, now) : expires_at
}

function toLastUse({ last_used, scope }: Limits, options: { isTerminal: boolean; now: number }) {
  if (last_used === null) return scope === null ? null : 'never'
  return when(last_used, options)
}

/** `, scope upload, expires 2026-11-30 12:00:00`; empty for a key without limits. */
export function limitsText({ expires_at, scope }: Limits) {
  const parts = [scope && scope !== 'all' && `scope ${scope}`, expires_at !== null && `expires ${expires_at}`]
  return parts
    .filter(Boolean)
    .map((part) => `, ${part}`)
    .join('')
}
