import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { copyStoreBetween } from '../../../src/admin/store-copy.ts'
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

const copy = (from: string, to: string) => copyStoreBetween({ env: { ...env, RELT_HOME: from }, from, to })

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...server, database: new URL(url).pathname.slice(1) })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function smallStore(): Promise<string> {
  const home = join(temporaryFolder(), 'home')
  await makeSmallStore(home)
  return home
}

function change<T>(home: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(home, 'relt.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Values at the limits of their types, and rows that triggers would change or refuse. */
function addEdges(home: string): void {
  change(home, (db) =>
    db.exec(`
      insert into data_key values ('former', 'seal', x'00', 'master', 1, null);
      insert into run_part values (1, 'details', 90, 'former', x''), (1, 'details', 91, 'former', randomblob(700000));
      update data_key set retired_at = 2 where id = 'former';
      insert into audit (id, at, user_id, action, subject) values
        (9007199254740993, -9223372036854775808, 9223372036854775807, '', 'é\u{1f600}\uffff"\\' || char(10));
      insert into cluster_summary values (1, 1, 'r', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
      insert into scanner_summary values (1, 'kubebuddy', 1, null, -0.0, 1, 1, 1, 1, 1, 1, 1, 1, '{}');
      insert into catalog_revision values (1, 'r');
      insert into label (id, user_id, name, color) values (3, 1, 'a', 'b'), (70, 1, 'Ä', 'b');
      delete from label where id = 70`),
  )
}

describe.skipIf(!server)('a store', () => {
  let home: string
  let first: string
  let back: string
  let copies: Awaited<ReturnType<typeof copy>>[]

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'relt-copies-'))
    home = join(folder, 'home')
    back = join(folder, 'back')
    await makeSmallStore(home)
    addEdges(home)
    first = await emptyDatabase()
    const second = await emptyDatabase()
    copies = [await copy(home, first), await copy(first, second), await copy(second, back)]
    return () => rmSync(folder, { recursive: true })
  })

  test('is copied to PostgreSQL, to another database and back, equal hash by hash', async () => {
    const [there, across, again] = copies
    expect(across!.tables).toEqual(there!.tables)
    expect(again!.tables).toEqual(there!.tables)
    expect(there!.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(15)
    expect(there).toMatchObject({ from: home, to: first, master_key: { available: true } })
    expect((await query(first, 'select id, at, user_id, subject from audit order by id desc limit 1'))[0]).toEqual({
      id: '9007199254740993',
      at: '-9223372036854775808',
      user_id: '9223372036854775807',
      subject: 'é\u{1f600}\uffff"\\\n',
    })
  })

  test('continues its ids, and has its triggers, references and search again', async () => {
    const insert = `insert into label (user_id, name, color) values (1, 'new', 'b') returning id`
    expect(await query(first, insert)).toEqual([{ id: '71' }])
    expect(change(back, (db) => db.prepare(insert).all())).toEqual([{ id: 71 }])
    const retired = `insert into run_part values (1, 'details', 92, 'former', '')`
    await expect(query(first, retired)).rejects.toThrow('retired data key')
    expect(() => change(back, (db) => db.exec(retired))).toThrow('retired data key')
    await expect(query(first, `update label set user_id = 99`)).rejects.toThrow('foreign key')
    const names = (db: DatabaseSync) =>
      db.prepare(`select type, name, sql from sqlite_schema where name not like 'project_search_%' order by name`).all()
    expect(change(back, names)).toEqual(change(home, names))
    const { database } = await makeDatabase(server)
    const parts = `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select tgname, cast(tgenabled as text) || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select indexname, indexdef from pg_indexes where schemaname = 'public' order by name, text`
    expect(await query(first, parts)).toEqual(await query(toUrl(database), parts))
  })

  test('is copied as of one moment while others write to it', async () => {
    const home = await smallStore()
    const url = await emptyDatabase()
    let written = 0
    const write = () => change(home, (db) => db.exec(`insert into audit (at, action) values (${++written}, 'late')`))
    write()
    const there = await copyStoreBetween({ env, from: home, to: url, onProgress: () => written < 5 && write() })
    expect(written).toBe(5)
    expect(await query(url, `select cast(count(*) as integer) as count from audit where action = 'late'`)).toEqual([
      { count: 1 },
    ])
    const back = join(temporaryFolder(), 'back')
    const lines: Promise<unknown>[] = []
    const again = await copyStoreBetween({
      env,
      from: url,
      to: back,
      onProgress: () => lines.length < 3 && lines.push(query(url, `insert into audit (at, action) values (9, 'late')`)),
    })
    await Promise.all(lines)
    expect(again.tables).toEqual(there.tables)
  })

  test('is not copied over anything', async () => {
    const home = await smallStore()
    const { database } = await makeDatabase(server)
    await expect(copy(home, toUrl(database))).rejects.toMatchObject({
      code: 'usage',
      message: `The database ${database} on 127.0.0.1:${server.port} has a store already.`,
      hint: expect.stringContaining('just created'),
    })
    const other = await emptyDatabase()
    await query(other, 'create table notes (id integer)')
    await expect(copy(home, other)).rejects.toThrow('is not empty: it has notes.')
    const full = await smallStore()
    await expect(copy(toUrl(database), full)).rejects.toThrow(`${full} has a store already.`)
  })

  test('is refused with another schema', async () => {
    const home = await smallStore()
    const { database } = await makeDatabase(server)
    const url = toUrl(database)
    const [empty, folder] = [await emptyDatabase(), join(temporaryFolder(), 'new')]
    await query(url, 'update relt_schema set version = version + 1')
    await expect(copy(url, folder)).rejects.toMatchObject({ hint: 'Update relt.' })
    change(home, (db) => db.exec('pragma user_version = 3'))
    await expect(copy(home, empty)).rejects.toMatchObject({ hint: 'Update relt.' })
    change(home, (db) => db.exec('pragma user_version = 0'))
    await expect(copy(home, empty)).rejects.toMatchObject({ hint: expect.stringContaining('Migrate it first') })
    await query(empty, 'create table relt_schema (version text)')
    await expect(copy(empty, folder)).rejects.toThrow(/^There is no store of relt in the database /)
    await query(empty, 'drop table relt_schema')
    expect(existsSync(folder)).toBe(false)
    expect(await query(empty, `select 1 from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  })

  test('leaves nothing when a row cannot be copied', async () => {
    const home = await smallStore()
    const url = await emptyDatabase()
    change(home, (db) => db.exec(`insert into audit (at, action) values (1, 'a' || char(0) || 'b')`))
    await expect(copy(home, url)).rejects.toThrow(/^PostgreSQL refuses a row of audit: .*0x00 .*column action/)
    change(home, (db) => db.exec(`update audit set action = 'b', at = 1.5`))
    await expect(copy(home, url)).rejects.toThrow('The column at of audit has a value of another type.')
    change(home, (db) =>
      db.exec(`pragma foreign_keys = off; update audit set at = 1; update label set user_id = 99;
      insert into label (user_id, name, color) values (99, 'a', 'b')`),
    )
    await expect(copy(home, url)).rejects.toThrow(/^PostgreSQL refuses a row of label: .*user_id\)=\(99\)/)
    const folder = join(temporaryFolder(), 'new')
    await expect(copy(home, folder)).rejects.toThrow('A row of label belongs to no row of user.')
    expect(readdirSync(folder)).toEqual([])
    expect(await query(url, `select 1 from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
    change(home, (db) => db.exec('delete from label'))
    expect((await copy(home, url)).rows).toBeGreaterThan(10)
  })

  test('has no lock any more when a copy has failed, wherever it was', async () => {
    const home = await smallStore()
    change(home, (db) =>
      db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
        insert into audit (at, action) select i, hex(randomblob(200)) from n`),
    )
    const url = await emptyDatabase()
    const locks = `select locktype from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and pid <> pg_backend_pid()`
    const expectNone = async (failing: Promise<unknown>, message: string) => {
      await expect(failing).rejects.toThrow(message)
      expect(await query(url, locks), message).toEqual([])
    }
    /** Cancels when the rows of the table are read from the source, or read again from the target. */
    const cancel = (isAgain: boolean) => {
      const controller = new AbortController()
      const onProgress = (done: number, total: number, table: string) => {
        if (table === 'audit' && done > total / 2 === isAgain) controller.abort()
      }
      return copyStoreBetween({ env, from: home, to: url, signal: controller.signal, onProgress })
    }
    const spoil = (value: string) => change(home, (db) => db.exec(`update audit set ${value} where id = 19000`))
    await expectNone(cancel(false), 'Interrupted')
    await expectNone(cancel(true), 'Interrupted')
    spoil(`at = 1.5`)
    await expectNone(copy(home, url), 'has a value of another type')
    spoil(`at = 1, action = 'a' || char(0)`)
    await expectNone(copy(home, url), 'PostgreSQL refuses a row')
    spoil(`action = 'a'`)
    const back = join(temporaryFolder(), 'full', 'back')
    await copy(home, url)
    const controller = new AbortController()
    const options = { env, from: url, to: back, signal: controller.signal, onProgress: () => controller.abort() }
    await expectNone(copyStoreBetween(options), 'Interrupted')
  })

  test('says what is wrong with an address, and not its password', async () => {
    const home = await smallStore()
    const run = (to: string, more = {}) =>
      runCli(['admin', 'store', 'copy', '--from', home, '--to', to], { home, env: { ...env, ...more } })
    const absent = await run(toUrl('absent'), { PGPASSWORD: 'hunter2' })
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be opened') })
    const open = await run('postgres://relt:hunter2@127.0.0.1:1/relt')
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('visible to everybody') })
    expect(absent.stderr + open.stderr).not.toContain('hunter2')
    const nowhere = await run('postgres://relt@127.0.0.1:1/relt')
    expect(nowhere).toMatchObject({ code: 7, stderr: expect.stringContaining('ECONNREFUSED') })
  })

  test('is copied from and to the database of the environment', async () => {
    const home = await smallStore()
    const url = (await emptyDatabase()).replace('relt@', 'relt:relt@')
    const run = (argv: string[]) =>
      runCli(['admin', 'store', 'copy', ...argv], { home, env: { RELT_DATABASE_URL: url } })
    const there = await run(['--from', home])
    expect(there).toMatchObject({ code: 0, stdout: '' })
    expect(there.stderr).toMatch(
      /Copied \d+ rows of \d+ tables from .*home to postgres:\/\/relt@127.*\n.*master key .* is available/,
    )
    const back = join(temporaryFolder(), 'back')
    const again = await run(['--to', back, '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ success: true, to: back, master_key: { available: false } })
    expect(again.stdout + again.stderr + there.stderr).not.toContain('relt:relt')
    // The key stayed where it was.
    writeFileSync(join(back, 'master.key'), readFileSync(join(home, 'master.key')))
    for (const argv of ['projects search argo', 'reports compare', 'reports list'].map((line) => line.split(' '))) {
      const before = await runCli([...argv, '--json'], { home })
      expect(before.code).toBe(0)
      expect(await runCli([...argv, '--json'], { home: back })).toEqual(before)
      expect(await runCli([...argv, '--json'], { home, env: { RELT_DATABASE_URL: url } })).toEqual(before)
    }
  })

  test('is not copied when the copy is interrupted or killed', async () => {
    const home = await smallStore()
    change(home, (db) =>
      db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
        insert into audit (at, action) select i, hex(randomblob(200)) from n`),
    )
    const [url, folder] = [await emptyDatabase(), join(temporaryFolder(), 'new')]
    mkdirSync(folder)
    const before = readFileSync(join(home, 'relt.db'))
    // Other tests write to other databases of the server.
    const ofThisDatabase = `select 1 from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and (locktype = 'advisory' or relation > 16383)`
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      for (const [to, isBegun] of [
        [url, async () => (await query(url, ofThisDatabase)).length > 0],
        [folder, async () => readdirSync(folder).some((name) => name.endsWith('.partial'))],
      ] as const) {
        const copyAndKill = async () => {
          const argv = ['admin', 'store', 'copy', '--from', home, '--to', to]
          const { child, finished } = start(reltFile, argv, { ...env, RELT_HOME: home })
          await expect.poll(isBegun, { interval: 10 }).toBe(true)
          child.kill(signal)
          return finished
        }
        let { code, stderr } = await copyAndKill()
        // A signal before the command listens for it ends any program.
        for (let i = 0; i < 4 && signal === 'SIGINT' && code === null; i++) ({ code, stderr } = await copyAndKill())
        expect({ signal, code, stderr }).toMatchObject(
          signal === 'SIGINT' ? { code: 130, stderr: expect.stringContaining('Nothing was copied') } : { code: null },
        )
        if (signal === 'SIGINT') expect(readdirSync(folder)).toEqual([])
      }
    }
    expect(existsSync(join(folder, 'relt.db'))).toBe(false)
    expect(readFileSync(join(home, 'relt.db'))).toEqual(before)
    // The server notices a killed client a moment later.
    await expect.poll(async () => (await query(url, ofThisDatabase)).length).toBe(0)
    const there = await copy(home, url)
    const back = await copy(url, folder)
    expect(back.tables).toEqual(there.tables)
  })
})
