import type { Bounds } from '../../src/spool/bounds.ts'
import { type NewEntry, Spool } from '../../src/spool/spool.ts'
import { temporaryFolder } from '../helpers/cli.ts'

export const server = { name: 'radar', url: 'https://radar.example/api/relt/v1', user: 'ada' }

/** An upload that is told from others by its number. */
export function entryWith(number: number, more: Partial<NewEntry> = {}): NewEntry {
  return {
    server,
    cluster: `shop-${number}`,
    environment: 'prod',
    idempotencyKey: `sha256-${number}`,
    body: { environment: 'prod', cluster: { name: `shop-${number}` } },
    report: Buffer.from(JSON.stringify({ checks: {}, number })),
    ...more,
  }
}

/** A spool in a folder of its own, with what it warned of. */
export function openSpool(options: { home?: string; env?: Record<string, string>; limits?: Partial<Bounds> } = {}) {
  const home = options.home ?? temporaryFolder()
  const warnings: string[] = []
  const env = { RELT_HOME: home, ...options.env }
  const spool = new Spool(env, (text) => void warnings.push(text), options.limits)
  return { home, spool, warnings }
}
