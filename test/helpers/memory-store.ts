import { readFileSync } from 'node:fs'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { emptyStoreFile, newStoreFile } from './new-store-file.ts'

const stores = new Map<string, Uint8Array>()

/** A store in memory, empty or with the bundled catalog. Migrating one takes longer than most tests. */
export function openMemoryStore({ catalog = false } = {}): Promise<Db> {
  const file = catalog ? newStoreFile : emptyStoreFile
  const bytes = stores.get(file) ?? readRollbackStore(file)
  stores.set(file, bytes)
  return openDatabase(':memory:', { newStore: { read: async () => bytes, settle: async () => {} } })
}

/** The file's format versions say WAL, which a store in memory cannot be in. */
function readRollbackStore(file: string): Uint8Array {
  const bytes = readFileSync(file)
  return bytes.fill(1, 18, 20)
}
