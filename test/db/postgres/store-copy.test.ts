import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { copyStore } from '../../../src/admin/store-copy.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'
import { makeDatabase, runAsAdministrator } from '../../helpers/postgres.ts'
import { reltFile, start } from '../../helpers/process.ts'
import { makeSmallStore } from '../../helpers/small-store.ts'

const server = inject('postgres')!
let databases = 0

/** Address of a new database without any table. */
async function emptyDatabase(): Promise<string> {
  const name = `copied_${process.pid}_${++databases}`
  await runAsAdministrator(server, `create database ${name} encoding 'UTF8' template template0`)
  return toUrl(name)
}

const toUrl = (database: string) => `postgres://${server.user}@${server.host}:${server.port}/${database}`

const env = { PGPASSWORD: 'relt', RELT_KEYCHAIN: 'off' }

const copy = (data: string, to: string, more = {}) =>
  copyStore({ env: { ...env, RELT_HOME: data }, data: undefined, to, ...more })

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...server, database: new URL(url).pathname.slice(1) })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const tablesIn = (url: string) => query(url, `select 1 from pg_class where relnamespace = 'public'::regnamespace`)

async function smallStore(): Promise<string> {
  const home = join(temporaryFolder(), 'home')
  await makeSmallStore(home)
  return home
}

function change(home: string, text: string): void {
  const db = new DatabaseSync(join(home, 'relt.db'))
  db.exec(text)
  db.close()
}

const addManyRows = (home: string) =>
  change(
    home,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
      insert into audit (at, action) select i, hex(randomblob(200)) from n`,
  )

describe.skipIf(!server)('a store', () => {
  test('is copied with values at the limits of their types, and rows that triggers would change or refuse', async () => {
    const [home, url] = [await smallStore(), await emptyDatabase()]
    change(
      home,
      `insert into data_key values ('former', 'seal', x'00', 'master', 1, null);
      insert into run_part values (1, 'details', 90, 'former', x''), (1, 'details', 91, 'former', randomblob(700000));
      update data_key set retired_at = 2 where id = 'former';
      insert into audit (id, at, user_id, action, subject) values
        (9007199254740993, -9223372036854775808, 9223372036854775807, '', 'é\u{1f600}\uffff"\\' || char(10));
      insert into catalog_revision values (1, 'r');
      insert into label (id, user_id, name, color) values (3, 1, 'a', 'b'), (70, 1, 'Ä', 'b');
      delete from label where id = 70`,
    )
    const copied = await copy(home, url)
    expect(copied).toMatchObject({ from: home, to: url, master_key: { available: true } })
    expect(copied.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(15)
    expect((await query(url, 'select id, at, user_id, subject from audit order by id desc limit 1'))[0]).toEqual({
      id: '9007199254740993',
      at: '-9223372036854775808',
      user_id: '9223372036854775807',
      subject: 'é\u{1f600}\uffff"\\\n',
    })
    const source = new DatabaseSync(join(home, 'relt.db'))
    const parts = source.prepare('select sealed from run_part order by run_id, kind, part').all()
    source.close()
    const sealed = await query(url, 'select sealed from run_part order by run_id, kind, part')
    expect(sealed.map((row) => (row.sealed as Buffer).toString('hex'))).toEqual(
      parts.map((row) => Buffer.from(row.sealed as Uint8Array).toString('hex')),
    )
    expect(await query(url, 'select * from catalog_revision')).toHaveLength(1)

    const insert = `insert into label (user_id, name, color) values (1, 'new', 'b') returning id`
    expect(await query(url, insert)).toEqual([{ id: '71' }])
    const retired = `insert into run_part values (1, 'details', 92, 'former', '')`
    await expect(query(url, retired)).rejects.toThrow('retired data key')
    await expect(query(url, `update label set user_id = 99`)).rejects.toThrow('foreign key')
    const { database } = await makeDatabase(server)
    const objects = `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select tgname, cast(tgenabled as text) || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select indexname, indexdef from pg_indexes where schemaname = 'public' order by name, text`
    expect(await query(url, objects)).toEqual(await query(toUrl(database), objects))
  })

  test('is copied to the database of the environment, and answers as before', async () => {
    const home = await smallStore()
    const url = (await emptyDatabase()).replace('relt@', 'relt:relt@')
    const inDatabase = { home, env: { RELT_DATABASE_URL: url } }
    const { code, stderr } = await runCli(['admin', 'store', 'copy'], inDatabase)
    expect(stderr).toMatch(/Copied \d+ rows of \d+ tables from .*home to postgres:\/\/relt@127/)
    expect(stderr).toMatch(/master key .* is available\.\nVerify the copy: relt admin verify --data postgres/)
    expect({ code, hasPassword: stderr.includes('relt:relt') }).toEqual({ code: 0, hasPassword: false })
    expect(await runCli(['admin', 'verify'], inDatabase)).toMatchObject({ code: 0 })
    for (const argv of ['projects search argo', 'reports compare', 'reports list'].map((line) => line.split(' '))) {
      const before = await runCli([...argv, '--json'], { home })
      expect(before.code).toBe(0)
      expect(await runCli([...argv, '--json'], inDatabase)).toEqual(before)
    }
  })

  test('is copied as of one moment while others write to it', async () => {
    const [home, url] = [await smallStore(), await emptyDatabase()]
    let written = 0
    const write = () => change(home, `insert into audit (at, action) values (${++written}, 'late')`)
    write()
    await copy(home, url, { onProgress: () => written < 5 && write() })
    expect(written).toBe(5)
    const late = `select cast(count(*) as integer) as count from audit where action = 'late'`
    expect(await query(url, late)).toEqual([{ count: 1 }])
  })

  test('is copied to an empty database only', async () => {
    const home = await smallStore()
    const { database } = await makeDatabase(server)
    await expect(copy(home, toUrl(database))).rejects.toMatchObject({
      code: 'usage',
      message: 'The database has a store already.',
      hint: expect.stringContaining('just created'),
    })
    const other = await emptyDatabase()
    await query(other, 'create table notes (id integer)')
    await expect(copy(home, other)).rejects.toThrow('The database is not empty.')
    await expect(copy(home, temporaryFolder())).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('relt admin backup'),
    })
    await expect(copy(temporaryFolder(), other)).rejects.toThrow('There is no store in')
  })

  test('is refused with another schema', async () => {
    const [home, url] = [await smallStore(), await emptyDatabase()]
    change(home, 'pragma user_version = 3')
    await expect(copy(home, url)).rejects.toThrow('another schema')
    expect(await tablesIn(url)).toEqual([])
  })

  test('leaves nothing when a row cannot be copied, and says which table', async () => {
    const [home, url] = [await smallStore(), await emptyDatabase()]
    change(home, `insert into audit (at, action) values (1, 'a' || char(0) || 'b')`)
    await expect(copy(home, url)).rejects.toThrow(/^PostgreSQL refuses a row of audit: .*NUL/)
    change(home, `update audit set action = 'b', at = 1.5`)
    await expect(copy(home, url)).rejects.toThrow(/^PostgreSQL refuses a row of audit: .*1\.5/)
    change(
      home,
      `pragma foreign_keys = off; update audit set at = 1;
      insert into label (user_id, name, color) values (99, 'a', 'b')`,
    )
    await expect(copy(home, url)).rejects.toThrow(/^PostgreSQL refuses a row of label: .*user_id\)=\(99\)/)
    expect(await tablesIn(url)).toEqual([])
    change(home, 'delete from label')
    expect((await copy(home, url)).rows).toBeGreaterThan(10)
  })

  test('says what is wrong with an address, and not its password', async () => {
    const home = await smallStore()
    const run = (to: string, more = {}) =>
      runCli(['admin', 'store', 'copy', '--to', to], { home, env: { ...env, ...more } })
    const absent = await run(toUrl('absent'), { PGPASSWORD: 'hunter2' })
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be opened') })
    const open = await run('postgres://relt:hunter2@127.0.0.1:1/relt')
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('visible to everybody') })
    expect(absent.stderr + open.stderr).not.toContain('hunter2')
    const nowhere = await run('postgres://relt@127.0.0.1:1/relt')
    expect(nowhere).toMatchObject({ code: 7, stderr: expect.stringContaining('ECONNREFUSED') })
  })

  test('is not copied when the copy is interrupted or killed', async () => {
    const [home, url] = [await smallStore(), await emptyDatabase()]
    addManyRows(home)
    const before = readFileSync(join(home, 'relt.db'))
    // Other tests write to other databases of the server.
    const locks = `select 1 from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and (locktype = 'advisory' or relation > 16383)`
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const argv = ['admin', 'store', 'copy', '--to', url]
      const { child, finished } = start(reltFile, argv, { ...env, RELT_HOME: home })
      await expect.poll(async () => (await query(url, locks)).length > 0, { interval: 10 }).toBe(true)
      child.kill(signal)
      const { code, stderr } = await finished
      expect({ signal, code, stderr }).toMatchObject(
        signal === 'SIGINT' ? { code: 130, stderr: expect.stringContaining('Nothing was copied') } : { code: null },
      )
      // The server notices a killed client a moment later.
      await expect.poll(async () => (await query(url, locks)).length).toBe(0)
      expect(await tablesIn(url)).toEqual([])
    }
    expect(readFileSync(join(home, 'relt.db'))).toEqual(before)
    expect((await copy(home, url)).tables).toContainEqual({ table: 'audit', rows: expect.any(Number) })
  })
})
