import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { type DatabaseKind, databaseFor } from '../../src/db/kind.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { emptyStoreFile, newStoreFile } from './prepared.ts'

/** The database of the project of the test. A test that needs the other one is skipped, and says why. */
const ofProject = (process.env.RELT_TEST_DATABASE ?? 'sqlite') as DatabaseKind
export const isOnPostgres = ofProject === 'postgres'

const stores = new Map<string, Uint8Array>()

/** A store in memory: empty, with the bundled catalog, or a copy of another. Migrating one takes longer than most tests. */
export async function openMemoryStore({
  catalog = false,
  copy,
  database = ofProject,
}: {
  catalog?: boolean
  copy?: Uint8Array | undefined
  /** By default as the project of the test says. */
  database?: DatabaseKind | undefined
} = {}): Promise<Db> {
  if (database === 'postgres') {
    const { openTestDatabase, templates } = await import('./postgres.ts')
    const template = copy && Buffer.from(copy).toString()
    return openTestDatabase(inject('postgres')!, template ?? (catalog ? templates.catalog : templates.empty))
  }
  const file = catalog ? newStoreFile : emptyStoreFile
  const bytes = copy ?? stores.get(file) ?? readRollbackStore(file)
  if (!copy) stores.set(file, bytes)
  return openDatabase(':memory:', { newStore: { read: async () => bytes, settle: async () => {} } })
}

/** What a store in memory can begin as. */
export async function copyOf(db: Db): Promise<Uint8Array> {
  if (databaseFor(db) === 'postgres') {
    const { copyDatabase } = await import('./postgres.ts')
    return Buffer.from(await copyDatabase(inject('postgres')!, db))
  }
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
