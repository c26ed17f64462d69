import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { emptyStoreFile, newStoreFile } from './prepared.ts'

const stores = new Map<string, Uint8Array>()

/** A store in memory: empty, with the bundled catalog, or a copy of another. Migrating one takes longer than most tests. */
export function openMemoryStore({ catalog = false, copy }: { catalog?: boolean; copy?: Uint8Array | undefined } = {}) {
  const file = catalog ? newStoreFile : emptyStoreFile
  const bytes = copy ?? stores.get(file) ?? readRollbackStore(file)
  if (!copy) stores.set(file, bytes)
  return openDatabase(':memory:', { newStore: { read: async () => bytes, settle: async () => {} } })
}

/** What a store in memory can begin as. */
export async function copyOf(db: Db): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'relt-store-'))
  try {
    const file = join(folder, 'relt.db')
    await sql`vacuum into ${file}`.execute(db)
    return readRollbackStore(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The file's format versions say WAL, which a store in memory cannot be in. */
function readRollbackStore(file: string): Uint8Array {
  const bytes = readFileSync(file)
  return bytes.fill(1, 18, 20)
}
