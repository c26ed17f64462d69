import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { makeNewStore } from '../../scripts/catalog/new-store.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { ensureCatalog } from '../../src/operations/catalog/bundled.ts'
import { openService } from '../../src/service/service.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { newStoreFile } from '../helpers/prepared.ts'
import { dump, now } from '../operations/service.ts'

const close = (db: Db) => onTestFinished(() => db.destroy())

/** Everything but the bytes of the search index, which depend on the order of writes. */
async function toContents(db: Db) {
  const find = async (word: string) =>
    (await sql`select rowid from project_search where project_search match ${word} order by rowid`.execute(db)).rows
  return {
    rows: await dump(db),
    schema: (await sql`select type, name, sql from sqlite_schema order by name`.execute(db)).rows,
    found: [await find('argo'), await find('proxy')],
    pragmas: (await sql`select * from pragma_user_version, pragma_auto_vacuum, pragma_journal_mode`.execute(db)).rows,
  }
}

test('a store that begins as the file equals one that migrates and imports the catalog', async () => {
  const { db: placed } = await openService({ env: { RELT_HOME: temporaryFolder() }, now: () => now })
  close(placed)
  const imported = await openDatabase(join(temporaryFolder(), 'relt.db'))
  close(imported)
  await ensureCatalog(imported, now)
  expect(await toContents(placed)).toEqual(await toContents(imported))
})

test('the file has the same bytes each time it is made', async () => {
  expect((await makeNewStore()).equals(readFileSync(newStoreFile))).toBe(true)
})
