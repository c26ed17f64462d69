import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openAdmin } from '../../../src/admin/admin.ts'
import { findMeta, setMeta } from '../../../src/db/meta.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { vacuum } from '../../../src/store/store-care/vacuum.ts'
import { temporaryFolder } from '../../helpers/cli.ts'

const large = 'x'.repeat(4_000_000)

test('vacuum gives the pages of deleted rows back', async () => {
  const file = join(temporaryFolder(), 'relt.db')
  const db = await openDatabase(file)
  await setMeta(db, 'write_check', large)
  await setMeta(db, 'catalog_date', '2020-01-01')
  await setMeta(db, 'write_check', '')
  await vacuum(db)
  expect(await findMeta(db, 'catalog_date')).toBe('2020-01-01')
  await db.destroy()
  expect(statSync(file).size).toBeLessThan(1_000_000)
})

test('a store without incremental vacuum is rewritten when most of it is free', async () => {
  const file = join(temporaryFolder(), 'relt.db')
  const old = new DatabaseSync(file)
  old.exec('pragma auto_vacuum = none; pragma journal_mode = wal')
  old.close()
  const db = await openDatabase(file)
  onTestFinished(() => db.destroy())
  await setMeta(db, 'write_check', large)
  await setMeta(db, 'write_check', '')
  await vacuum(db)
  await setMeta(db, 'write_check', large)
  await setMeta(db, 'write_check', '')
  await vacuum(db)
  const { page_count: pages } = new DatabaseSync(file, { readOnly: true }).prepare('pragma page_count').get() as {
    page_count: number
  }
  expect(pages * 4096).toBeLessThan(1_000_000)
})

test('a removed account leaves none of its names in the files of the store', async () => {
  const home = temporaryFolder()
  const admin = await openAdmin({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => 1_790_000_000 })
  await admin.addUser({ login: 'ada', email: 'ada@secret-company.example', role: 'user', plan: 'pro' })
  const db = await openDatabase(join(home, 'relt.db'))
  const { id } = await db.selectFrom('user').select('id').where('login', '=', 'ada').executeTakeFirstOrThrow()
  for (let i = 0; i < 300; i++) {
    await db
      .insertInto('cluster')
      .values({ owner_id: id, name: `secret-cluster-${i}`, environment: 'prod' })
      .execute()
  }
  await db.destroy()
  const bytes = () =>
    ['relt.db', 'relt.db-wal'].map((name) => readFileSync(join(home, name)).toString('latin1')).join('')
  expect(bytes()).toContain('secret-')
  await admin.removeUser('ada')
  expect(bytes()).not.toContain('secret-')
  await admin.close()
})
