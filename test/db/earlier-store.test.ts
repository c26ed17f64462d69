import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { applicationId } from '../../src/db/application-id.ts'
import { refuseOtherFile } from '../../src/db/earlier-store.ts'
import { setMeta } from '../../src/db/meta.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openFile } from '../../src/db/open-file.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'

const refusal = {
  code: 'store_unusable',
  message: expect.stringMatching(/ was not written by this relt, and was left as it is\.$/),
  hint: expect.stringContaining('relt reports copy'),
}

function read(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('hex')]))
}

/** As relt wrote its tables and the number of its migrations. */
function fill(sqlite: DatabaseSync): void {
  sqlite.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; begin')
  for (const name of ['meta', 'user', 'project', 'run', 'data_key'])
    sqlite.exec(`create table ${name} (id, key, value)`)
  sqlite.exec(`insert into meta (key, value) values ('catalog_date', '2026-11-20'); pragma user_version = 40; commit`)
}

/** Stores of before, by the state that their files are in. */
const states: Record<string, (file: string) => void> = {
  'was closed': (file) => {
    const sqlite = new DatabaseSync(file)
    fill(sqlite)
    sqlite.close()
  },
  'is open': (file) => {
    const sqlite = new DatabaseSync(file)
    onTestFinished(() => sqlite.close())
    fill(sqlite)
    sqlite.exec('pragma wal_checkpoint; update meta set value = 1')
  },
  'is a backup': (file) => {
    const sqlite = new DatabaseSync(file)
    fill(sqlite)
    sqlite.exec('pragma journal_mode = delete; create table backup_manifest (manifest text not null)')
    sqlite.exec(`insert into backup_manifest values ('{"id":"1","sha256":"2"}')`)
    sqlite.close()
  },
}

describe.each(Object.entries(states))('a store from before 0.1.0 that %s', (_, make) => {
  function makeStore() {
    const folder = temporaryFolder()
    const file = join(folder, 'relt.db')
    make(file)
    return { folder, file, before: read(folder) }
  }

  test('is refused by all that opens stores, and left as it is', async () => {
    const { folder, file, before } = makeStore()
    await expect(openDatabase(file)).rejects.toMatchObject(refusal)
    expect(() => openFile(file, { readOnly: true })).toThrow(expect.objectContaining(refusal))
    expect(read(folder)).toEqual(before)
  })

  test.each([
    ['stats'],
    ['reports', 'upload', '-'],
    ['serve', '--port', '0'],
    ['admin', 'verify'],
    ['admin', 'backup', 'FOLDER/backups/relt.db'],
    ['admin', 'verify', 'FILE'],
    ['admin', 'restore', 'FILE', '--data', 'FOLDER/new'],
    ['admin', 'store', 'copy', '--to', 'postgres://relt@127.0.0.1:1/relt'],
  ])('is refused by `relt %s %s`', async (...words) => {
    const { folder, file, before } = makeStore()
    const other = temporaryFolder()
    mkdirSync(join(other, 'backups'))
    const argv = words.map((word) => word.replace('FILE', file).replace('FOLDER', other))
    const { code, stderr } = await runCli(argv, { home: folder, stdin: '{}' })
    expect(stderr).toContain('was not written by this relt')
    expect(stderr).toContain('relt reports copy')
    expect(code).toBe(1)
    expect(read(folder)).toEqual(before)
    expect(readdirSync(other)).toEqual(['backups'])
  })
})

test('a store that another commit made with other tables is refused, and left as it is', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'relt.db')
  await (await openDatabase(file)).destroy()
  const sqlite = new DatabaseSync(file)
  sqlite.exec(`drop table label; pragma application_id = ${applicationId + 1}; pragma journal_mode = delete`)
  sqlite.close()
  const before = read(folder)
  for (const argv of [
    ['status'],
    ['admin', 'verify'],
    ['admin', 'restore', file, '--data', join(temporaryFolder(), 'a')],
  ]) {
    const { code, stderr } = await runCli(argv, { home: folder })
    expect(stderr).toContain('was not written by this relt, and was left as it is.')
    expect(code).toBe(1)
  }
  expect(read(folder)).toEqual(before)
})

test('a backup from before 0.1.0 is not replaced', async () => {
  const folder = temporaryFolder()
  await (await openDatabase(join(folder, 'relt.db'))).destroy()
  const other = temporaryFolder()
  states['is a backup']!(join(other, 'relt.db'))
  const before = read(other)
  const argv = ['admin', 'backup', join(other, 'relt.db'), '--force']
  const { code, stderr } = await runCli(argv, { home: folder })
  expect(stderr).toContain('exists and is not a backup of relt')
  expect(code).toBe(2)
  expect(read(other)).toEqual(before)
})

test('a database of another program is refused, and left as it is', async () => {
  for (const statements of [
    'pragma user_version = 3',
    'create table invoice (id)',
    'pragma application_id = 7; create table run (id)',
  ]) {
    const folder = temporaryFolder()
    const file = join(folder, 'relt.db')
    const sqlite = new DatabaseSync(file)
    sqlite.exec(statements)
    sqlite.close()
    const before = read(folder)
    await expect(openDatabase(file)).rejects.toMatchObject({
      code: 'store_unusable',
      message: `${file} was not written by this relt, and was left as it is.`,
    })
    expect(read(folder)).toEqual(before)
  }
})

test('a store with other tables, all in its -wal, is refused', async () => {
  const folder = temporaryFolder()
  const sqlite = new DatabaseSync(join(folder, 'other.db'))
  onTestFinished(() => sqlite.close())
  fill(sqlite)
  sqlite.exec('pragma user_version = 1')
  for (const suffix of ['', '-wal']) copyFileSync(join(folder, `other.db${suffix}`), join(folder, `relt.db${suffix}`))
  await expect(openDatabase(join(folder, 'relt.db'))).rejects.toMatchObject(refusal)
})

test('a store whose tables are all in its -wal is opened', async () => {
  const file = join(temporaryFolder(), 'relt.db')
  const first = await openDatabase(file)
  onTestFinished(() => first.destroy())
  await setMeta(first, 'catalog_date', '2026-11-20')
  const copy = join(temporaryFolder(), 'relt.db')
  for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`)
  const header = new DatabaseSync(`file:${copy}?immutable=1`, { readOnly: true })
  expect(header.prepare('select count(*) as count from sqlite_schema').get()).toEqual({ count: 0 })
  header.close()
  const second = await openDatabase(copy)
  onTestFinished(() => second.destroy())
  expect(await second.selectFrom('meta').select('value').execute()).toEqual([{ value: '2026-11-20' }])
})

test('looking at a file leaves the locks of this process on it', async () => {
  const file = join(temporaryFolder(), 'relt.db')
  const sqlite = new DatabaseSync(file)
  onTestFinished(() => sqlite.close())
  sqlite.exec('create table run (id); begin exclusive')
  expect(() => refuseOtherFile(file)).toThrow('was not written by this relt')
  const script = join(temporaryFolder(), 'lock.mjs')
  writeFileSync(
    script,
    `import { DatabaseSync } from 'node:sqlite'
    try { new DatabaseSync(process.argv[2], { timeout: 0 }).exec('begin exclusive') } catch (error) { console.log(error.message) }`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [script, file])
  expect(stdout).toBe('database is locked\n')
})
