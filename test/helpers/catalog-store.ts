import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/open.ts'
import { ensureCatalog } from '../../src/operations/catalog.ts'
import { testNow } from './cli.ts'

let filled: Promise<string> | undefined

/** Copies a new store with the bundled catalog into a data folder. Filling a store takes longer than most tests. */
export async function copyCatalogStore(home: string): Promise<void> {
  filled ??= fillStore()
  const file = join(home, 'relt.db')
  copyFileSync(await filled, file)
  chmodSync(file, 0o600)
}

async function fillStore(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'relt-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'relt.db')
  const db = await openDatabase(file)
  await ensureCatalog(db, testNow)
  await db.destroy()
  return file
}
