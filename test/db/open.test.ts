import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findMeta, setMeta } from '../../src/db/meta.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations, newestSchema } from '../../src/db/migrations.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { openFile } from '../../src/db/open-file.ts'
import { write } from '../../src/db/transaction.ts'
import { ReltError } from '../../src/errors.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { canMount, makeReadOnly, mountedFolder } from '../helpers/mount.ts'
import { newStoreFile, openerFile } from '../helpers/prepared.ts'
import { dump, refusalFor } from '../operations/service.ts'

async function open(file: string): Promise<Db> {
  const db = await openDatabase(file)
  onTestFinished(() => db.destroy())
  return db
}

async function pragma(db: Db, name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)
  return Object.values(rows[0]!)[0]
}

const schema = async (db: Db) => (await sql`select type, name, sql from sqlite_schema order by name`.execute(db)).rows

describe('openDatabase', () => {
  test('makes the store, its folder for the owner only, and all its tables', async () => {
    const file = join(temporaryFolder(), 'a', 'b', 'relt.db')
    const db = await open(file)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(Object.keys(await dump(db))).toEqual(
      expect.arrayContaining([
        'cluster',
        'finding_history',
        'meta',
        'project',
        'release',
        'run',
        'run_finding',
        'run_part',
        'user',
      ]),
    )
    expect(await pragma(db, 'user_version')).toBe(newestSchema())
    expect(await pragma(db, 'journal_mode')).toBe('wal')
    expect(await pragma(db, 'foreign_keys')).toBe(1)
    expect(await pragma(db, 'synchronous')).toBe(2)
  })

  test('opens a store again as it was', async () => {
    const file = join(temporaryFolder(), 'relt.db')
    const first = await open(file)
    await setMeta(first, 'catalog_date', '2020-01-01')
    const second = await open(file)
    expect(await schema(second)).toEqual(await schema(first))
    expect(await dump(second)).toEqual(await dump(first))
    await migrate(second)
    expect(await pragma(second, 'user_version')).toBe(newestSchema())
  })

  test('refuses a store of a newer relt and leaves it as it is', async () => {
    const file = join(temporaryFolder(), 'relt.db')
    const db = await open(file)
    await sql.raw('pragma user_version = 99').execute(db)
    const before = await dump(db)
    await expect(openDatabase(file)).rejects.toMatchObject({
      code: 'store_unusable',
      message: 'The store was written by a newer relt.',
      hint: 'Update relt.',
    })
    expect(await pragma(db, 'user_version')).toBe(99)
    expect(await dump(db)).toEqual(before)
  })

  test.each<[string, (folder: string) => string]>([
    [
      'is no database',
      (folder) => {
        writeFileSync(join(folder, 'relt.db'), 'a letter to grandmother '.repeat(1000))
        return join(folder, 'relt.db')
      },
    ],
    [
      'is a folder',
      (folder) => {
        mkdirSync(join(folder, 'relt.db'))
        return join(folder, 'relt.db')
      },
    ],
    [
      'would lie below a file',
      (folder) => {
        writeFileSync(join(folder, 'file'), 'x')
        return join(folder, 'file', 'relt.db')
      },
    ],
  ])('says what to do when the store %s', async (_, make) => {
    const file = make(temporaryFolder())
    const error = await openDatabase(file).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ReltError)
    expect(error).toMatchObject({ code: 'store_unusable', hint: expect.stringContaining('RELT_HOME') })
    expect((error as ReltError).message).toContain(`The store ${file} cannot be opened: `)
  })

  test('changes nothing in a file that is no database', async () => {
    const file = join(temporaryFolder(), 'notes.txt')
    writeFileSync(file, 'a letter to grandmother '.repeat(1000))
    await refusalFor(openDatabase(file))
    expect(readFileSync(file, 'utf8')).toBe('a letter to grandmother '.repeat(1000))
  })

  test('is opened by several processes at once', async () => {
    const file = join(temporaryFolder(), 'relt.db')
    const starts = Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, [openerFile, file]))
    await Promise.all(starts)
    expect((await dump(await open(file))).user).toHaveLength(6)
  })
})

describe('a new store that begins as a file', () => {
  const settle = async (db: Db) => {
    await db.updateTable('project').set({ updated_at: 7 }).execute()
  }
  const newStore = { read: async () => readFileSync(newStoreFile), settle }

  test('is settled by the process that created it, once', async () => {
    const file = join(temporaryFolder(), 'relt.db')
    const first = await openDatabase(file, { newStore })
    onTestFinished(() => first.destroy())
    expect(await first.selectFrom('project').select('updated_at').distinct().execute()).toEqual([{ updated_at: 7 }])
    const refuse = async () => {
      throw new Error('settled again')
    }
    await (await openDatabase(file, { newStore: { ...newStore, settle: refuse } })).destroy()
  })

  test('is one store for several processes that start at once', async () => {
    const file = join(temporaryFolder(), 'relt.db')
    const starts = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, [openerFile, file, newStoreFile]),
    )
    await Promise.all(starts)
    const db = await open(file)
    const logins = (await db.selectFrom('user').select('login').execute()).map(({ login }) => login)
    expect(logins.filter((login) => login === 'settled')).toHaveLength(1)
    expect(logins).toHaveLength(5)
  })

  test('is not taken for a lost one before it knows its key', async () => {
    const folder = temporaryFolder()
    const [file, keyFile] = [join(folder, 'relt.db'), join(folder, 'master.key')]
    const first = await openDatabase(file, { keyFile, newStore })
    onTestFinished(() => first.destroy())
    writeFileSync(keyFile, Buffer.alloc(32))
    await (await openDatabase(file, { keyFile, newStore })).destroy()
  })

  test('is taken for a lost one when it was copied without its last changes', async () => {
    const folder = temporaryFolder()
    const first = await openDatabase(join(folder, 'relt.db'), { newStore })
    onTestFinished(() => first.destroy())
    const copy = temporaryFolder()
    copyFileSync(join(folder, 'relt.db'), join(copy, 'relt.db'))
    const keyFile = join(copy, 'master.key')
    writeFileSync(keyFile, Buffer.alloc(32))
    const opening = openDatabase(join(copy, 'relt.db'), { keyFile, newStore })
    await expect(opening).rejects.toMatchObject({ code: 'store_unusable' })
  })

  test('is migrated and filled step by step when the file cannot be placed', async () => {
    const file = join(temporaryFolder(), 'relt.db')
    const db = await openDatabase(file, { newStore: { read: async () => undefined, settle } })
    onTestFinished(() => db.destroy())
    expect(await pragma(db, 'user_version')).toBe(newestSchema())
    expect((await dump(db)).project).toEqual([])
  })
})

describe('a lock that another process holds', () => {
  async function openLocked(patienceMs: number) {
    const file = join(temporaryFolder(), 'relt.db')
    const db = await openDatabase(file, { patienceMs })
    const other = new DatabaseSync(file, { timeout: 0 })
    onTestFinished(async () => {
      other.close()
      await db.destroy()
    })
    other.exec('begin immediate')
    return { db, other }
  }
  const busy = expect.objectContaining({ code: 'busy' })

  test('is waited for without blocking the process or its reads', async () => {
    const { db, other } = await openLocked(10_000)
    const writes = [
      setMeta(db, 'catalog_date', '2020-01-01'),
      write(db, 'nothing', (trx) => setMeta(trx, 'master_key_id', 'a')),
      write(db, 'nothing', (trx) => setMeta(trx, 'master_key_place', 'b')),
    ]
    let turns = 0
    for (; turns < 20; turns++) {
      expect(await findMeta(db, 'master_key_id')).toBeUndefined()
      await wait(5)
    }
    other.exec('rollback')
    await Promise.all(writes)
    expect(await findMeta(db, 'catalog_date')).toBe('2020-01-01')
    expect(await findMeta(db, 'master_key_place')).toBe('b')
  })

  test('is given up after a while, and all who wait give up together', async () => {
    const { db, other } = await openLocked(200)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1000)
    onTestFinished(() => clock.mockRestore())
    const writes = Promise.allSettled([
      setMeta(db, 'catalog_date', '2020-01-01'),
      ...Array.from({ length: 20 }, () => write(db, 'nothing', (trx) => setMeta(trx, 'catalog_date', '2020-01-02'))),
    ])
    await wait(20)
    // One that began to wait only now would never give up.
    clock.mockReturnValue(1201)
    for (const refused of await writes) expect(refused).toEqual({ status: 'rejected', reason: busy })
    clock.mockRestore()
    other.exec('rollback')
    await write(db, 'nothing', (trx) => setMeta(trx, 'catalog_date', '2020-01-03'))
    expect(await findMeta(db, 'catalog_date')).toBe('2020-01-03')
  })
})

test('a full disk undoes the transaction, and the store goes on when there is space', async () => {
  const db = await open(':memory:')
  await setMeta(db, 'catalog_date', '2020-01-01')
  const pages = Number(await pragma(db, 'page_count'))
  await pragma(db, `max_page_count = ${pages + 5}`)
  const fill = write(db, 'nothing', async (trx) => {
    await setMeta(trx, 'catalog_date', '2020-01-02')
    await setMeta(trx, 'write_check', 'x'.repeat(1_000_000))
  })
  await expect(fill).rejects.toMatchObject({ code: 'store_full' })
  expect(await findMeta(db, 'catalog_date')).toBe('2020-01-01')
  await pragma(db, 'max_page_count = 1000000')
  await write(db, 'nothing', (trx) => setMeta(trx, 'write_check', 'x'.repeat(1_000_000)))
})

describe.skipIf(!canMount())('a store on a read-only disk', () => {
  async function readOnlyStore(leaveWal: boolean): Promise<string> {
    const folder = mountedFolder()
    const file = join(folder, 'relt.db')
    const db = await openDatabase(file)
    await setMeta(db, 'catalog_date', '2020-01-01')
    if (leaveWal) {
      const copy = join(folder, 'copy')
      mkdirSync(copy)
      for (const name of ['relt.db', 'relt.db-wal']) copyFileSync(join(folder, name), join(copy, name))
      await db.destroy()
      makeReadOnly(folder)
      return join(copy, 'relt.db')
    }
    await db.destroy()
    makeReadOnly(folder)
    return file
  }

  test('can be read, and says so when it is to be written', async () => {
    const db = await open(await readOnlyStore(false))
    expect(await findMeta(db, 'catalog_date')).toBe('2020-01-01')
    await expect(setMeta(db, 'catalog_date', '2020-01-02')).rejects.toMatchObject({ code: 'store_read_only' })
    const change = write(db, 'nothing', (trx) => setMeta(trx, 'catalog_date', '2020-01-02'))
    await expect(change).rejects.toMatchObject({ code: 'store_read_only' })
  })

  test('can be opened as a file', async () => {
    const db = openFile(await readOnlyStore(false), { readOnly: true })
    onTestFinished(() => db.destroy())
    expect(await findMeta(db, 'catalog_date')).toBe('2020-01-01')
  })

  test('is refused when its last changes are in the file beside it', async () => {
    await expect(openDatabase(await readOnlyStore(true))).rejects.toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('relt.db-wal'),
    })
  })
})

describe('a transaction', () => {
  test('holds the store from its beginning', async () => {
    const file = join(temporaryFolder(), 'relt.db')
    const db = await open(file)
    const other = new DatabaseSync(file, { timeout: 0 })
    onTestFinished(() => other.close())
    await db.transaction().execute(async () => {
      expect(() => other.exec('begin immediate')).toThrow(/locked/)
    })
    other.exec('begin immediate; rollback')
  })

  test('leaves nothing behind when it fails', async () => {
    const db = await open(':memory:')
    const before = await dump(db)
    const work = db.transaction().execute(async (trx) => {
      await setMeta(trx, 'catalog_date', '2020-01-01')
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await dump(db)).toEqual(before)
  })

  test('keeps rows together: a run needs its cluster, a cluster its user', async () => {
    const db = await open(':memory:')
    await expect(
      db.insertInto('cluster').values({ owner_id: 7, name: 'a', environment: 'b' }).execute(),
    ).rejects.toThrow(/FOREIGN KEY/)
  })
})

/** Runs with a migration that the program does not have yet. */
async function withMigration<T>(statements: string[], work: () => Promise<T>): Promise<T> {
  migrations.push(async () => ({ sqlite: statements, postgres: [] }))
  try {
    return await work()
  } finally {
    migrations.pop()
  }
}

describe('a migration', () => {
  const addColumn = [`alter table label add column icon text not null default 'dot'`]

  test('changes the rows that are there, and leaves a copy of the store of before', async () => {
    const file = join(temporaryFolder(), 'relt.db')
    const old = await openDatabase(file)
    await sql`insert into user (login, role, plan, created_at) values ('ada', 'user', 'free', 0)`.execute(old)
    await sql`insert into label (user_id, name, color) values (1, 'a', 'b')`.execute(old)
    await old.destroy()
    await withMigration(addColumn, async () => {
      const db = await open(file)
      expect((await sql`select name, icon from label`.execute(db)).rows).toEqual([{ name: 'a', icon: 'dot' }])
      expect(await pragma(db, 'user_version')).toBe(2)
    })
    const copy = openFile(`${file}.before-v2`, { readOnly: true })
    onTestFinished(() => copy.destroy())
    expect(await pragma(copy, 'user_version')).toBe(1)
    expect((await dump(copy)).label).toEqual([expect.not.objectContaining({ icon: 'dot' })])
  })

  test('that fails leaves nothing of itself and its version behind', async () => {
    const db = await open(':memory:')
    const before = await schema(db)
    const failing = ['create table half (a)', 'create table half (a)']
    await withMigration(failing, () => expect(migrate(db)).rejects.toThrow('half already exists'))
    expect(await schema(db)).toEqual(before)
    expect(await pragma(db, 'user_version')).toBe(1)
    await migrate(db)
  })
})
