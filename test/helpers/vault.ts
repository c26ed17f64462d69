import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { KeyPlace } from '../../src/config/secrets.ts'
import type { Db } from '../../src/db/open.ts'
import type { KeySource, Vault } from '../../src/operations/keys/vault.ts'
import { openVault } from '../../src/operations/keys/vault.ts'
import { keyLength, toKeyId } from '../../src/util/seal.ts'
import { openMemoryStore } from './memory-store.ts'

const madeAt = Date.UTC(2026, 8, 1, 12) / 1000

/** A master key that lies nowhere. */
export function keySource(key: Buffer = randomBytes(keyLength)): KeySource {
  const master = { key, id: toKeyId(key), place: 'env' as KeyPlace }
  return { get: async () => master, create: async () => master, settle: async () => {} }
}

/** The vault of a store; a new store gets its keys. */
export const makeVault = (db: Db, key?: Buffer): Promise<Vault> => openVault(db, keySource(key), { now: madeAt })

/** The vault of a store of its own. */
export async function newVault(): Promise<Vault> {
  const db = await openMemoryStore()
  onTestFinished(() => db.destroy())
  return makeVault(db)
}
