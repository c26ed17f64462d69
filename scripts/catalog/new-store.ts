import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { bundledCatalogTime } from '../../src/catalog/date.ts'
import { openDatabase } from '../../src/db/open.ts'
import { ensureCatalog } from '../../src/operations/catalog/bundled.ts'

/** A new store as relt itself makes it, with the bundled catalog and without keys or users. The same bytes each time. */
export async function makeNewStore({ catalog = true } = {}): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'relt-build-'))
  try {
    const file = join(folder, 'relt.db')
    const db = await openDatabase(file)
    if (catalog) await ensureCatalog(db, bundledCatalogTime)
    await db.destroy()
    const sqlite = new DatabaseSync(file)
    // In WAL mode, VACUUM would leave the pages in another file.
    sqlite.exec('pragma journal_mode = delete; vacuum; pragma journal_mode = wal')
    sqlite.close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
