import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLocalClient } from '../../../../src/client/local.ts'
import { migrations } from '../../../../src/db/migrations.ts'
import { openDatabase } from '../../../../src/db/open.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { canMount, makeReadOnly, mountedFolder } from '../../../helpers/mount.ts'
import { makeSmallCatalog, smallReports, uploadAll } from '../../../helpers/small-store.ts'

/** A store with two runs, a backup of it, and an empty folder beside. */
async function backedUp() {
  const folder = temporaryFolder()
  const [home, other, file] = [join(folder, 'home'), join(folder, 'other'), join(folder, 'backup.db')]
  await makeSmallCatalog(home)
  await uploadAll(home, smallReports.slice(0, 2))
  const run = (argv: string[], options: { env?: Record<string, string>; now?: number; data?: string } = {}) =>
    runCli([...argv, '--data', options.data ?? home], { home, ...options })
  const result = await run(['admin', 'backup', file, '--json'])
  expect(result).toMatchObject({ code: 0, stderr: '' })
  return { folder, home, other, file, run, answer: JSON.parse(result.stdout), key: readKey(home) }
}

const readKey = (home: string) => readFileSync(join(home, 'master.key'), 'utf8').trim()

const change = (file: string, sql: string) => {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

describe('a backup', () => {
  test('is one private file that says what is in it', async () => {
    const { folder, file, answer } = await backedUp()
    expect(answer).toMatchObject({
      success: true,
      file,
      bytes: statSync(file).size,
      made_at: '2026-09-01 12:00:00',
      schema: expect.any(Number),
      master_key_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      counts: { run: 2, run_part: 10, cluster: 1, user: 1 },
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'home'])
  })

  test('has what a process in the middle of its work has committed, which is in no file but the -wal', async () => {
    const { home, file, run } = await backedUp()
    const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
    await client.call('uploadReport', { body: {}, report: Buffer.from(JSON.stringify(smallReports[2])) })
    expect(statSync(join(home, 'relt.db-wal')).size).toBeGreaterThan(0)
    expect(JSON.parse((await run(['admin', 'backup', file, '--force', '--json'])).stdout).counts).toMatchObject({
      run: 3,
    })
    await client.close()
  })

  test.each([
    ['changes', 'update filler set bytes = randomblob(4000) where id in (1, 1500)'],
    ['extends', 'insert into filler select id + 3000, bytes from filler'],
    ['shortens', 'delete from filler where id > 250; pragma incremental_vacuum'],
  ])('is intact when the -wal %s pages that were hashed before', async (_, sql) => {
    const { home, file, run } = await backedUp()
    const store = new DatabaseSync(join(home, 'relt.db'))
    store.exec(`create table filler (id integer primary key, bytes blob);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
      insert into filler select i, randomblob(4000) from n;
      pragma wal_checkpoint(truncate); pragma wal_autocheckpoint = 0; ${sql}`)
    expect(await run(['admin', 'backup', file, '--force'])).toMatchObject({ code: 0 })
    store.close()
    expect(await run(['admin', 'verify', file])).toMatchObject({ code: 0 })
  })

  test('becomes a store elsewhere, which needs the key', async () => {
    const { other, file, run, key } = await backedUp()
    const restored = await run(['admin', 'restore', file], { data: other })
    expect(restored).toMatchObject({ code: 0, stdout: '' })
    expect(restored.stderr).toContain(`Restored 2 runs to ${join(other, 'relt.db')}`)
    expect(restored.stderr).toMatch(/The master key [0-9a-f]{16} is required but not available/)
    expect(statSync(join(other, 'relt.db')).mode & 0o777).toBe(0o600)
    expect(readdirSync(other)).toEqual(['relt.db'])
    expect((await runCli(['reports', 'compare'], { home: other })).code).toBe(1)
    writeFileSync(join(other, 'master.key'), key)
    expect((await runCli(['reports', 'compare'], { home: other })).code).toBe(0)
    expect((await runCli(['admin', 'verify'], { home: other })).stdout).toContain(
      '2 runs, all encrypted data can be read (10 parts)',
    )
  })

  test('says where the key is available', async () => {
    const { other, file, run, key } = await backedUp()
    const result = await run(['admin', 'restore', file, '--json'], { data: other, env: { RELT_MASTER_KEY: key } })
    expect(JSON.parse(result.stdout)).toMatchObject({ master_key: { available: true, error: null } })
  })

  test('is refused by a folder with a store, or with anything else', async () => {
    const { home, other, file, run } = await backedUp()
    const before = readFileSync(join(home, 'relt.db'))
    expect(await run(['admin', 'restore', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${home} has a store already.`),
    })
    expect(readFileSync(join(home, 'relt.db'))).toEqual(before)
    await run(['admin', 'restore', file], { data: other })
    rmSync(join(other, 'relt.db'))
    for (const name of ['relt.db-wal', 'notes.txt']) {
      writeFileSync(join(other, name), 'x')
      expect(await run(['admin', 'restore', file], { data: other })).toMatchObject({ code: 2 })
      expect(existsSync(join(other, 'relt.db'))).toBe(false)
      rmSync(join(other, name))
    }
    expect(await run(['admin', 'restore', file], { data: other })).toMatchObject({ code: 0 })
  })

  test('of a newer relt is refused', async () => {
    const { other, file, run } = await backedUp()
    change(file, 'pragma user_version = 9999')
    expect(await run(['admin', 'restore', file], { data: other })).toMatchObject({
      code: 1,
      stderr: `error: ${file} was written by a newer relt.\nhint: Update relt.\n`,
    })
    expect(existsSync(join(other, 'relt.db'))).toBe(false)
  })

  test('replaces an earlier backup with --force, and nothing else', async () => {
    const { folder, home, file, run } = await backedUp()
    const before = readFileSync(file)
    expect(await run(['admin', 'backup', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') })
    expect(readFileSync(file)).toEqual(before)
    expect((await run(['admin', 'backup', file, '--force'])).code).toBe(0)
    const mine = join(folder, 'mine.txt')
    writeFileSync(mine, 'important')
    expect(await run(['admin', 'backup', mine])).toMatchObject({ code: 2 })
    expect(readFileSync(mine, 'utf8')).toBe('important')
    for (const name of ['relt.db', 'relt.db-wal']) {
      expect(await run(['admin', 'backup', join(home, name)])).toMatchObject({ code: 2 })
    }
    expect(await run(['admin', 'backup', join(folder, 'nowhere', 'x.db')])).toMatchObject({ code: 2 })
    expect((await run(['admin', 'verify'])).code).toBe(0)
  })

  test('leaves no half of itself when the store is damaged', async () => {
    const { folder, home, file, run } = await backedUp()
    const before = readFileSync(file)
    change(join(home, 'relt.db'), `pragma foreign_keys = off; delete from run_part where kind = 'context'`)
    const forced = ['admin', 'backup', file, '--force']
    expect(await run(forced)).toMatchObject({ code: 1, stderr: expect.stringContaining('damaged') })
    expect(readFileSync(file)).toEqual(before)
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'home'])
  })
})

describe.runIf(canMount())('a disk in the way of a backup', () => {
  async function storeOn(disk: string) {
    const home = join(disk, 'home')
    await uploadAll(home, smallReports.slice(0, 1))
    return { home, file: join(temporaryFolder(), 'backup.db') }
  }

  test.each([
    ['full', fill],
    ['read-only', makeReadOnly],
  ])('a store on a %s one is backed up, without an audit entry', async (_, spoil) => {
    const disk = mountedFolder(20)
    const { home, file } = await storeOn(disk)
    spoil(disk)
    const result = await runCli(['admin', 'backup', file, '--json'], { home })
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('The audit has no entry') })
    expect(JSON.parse(result.stdout)).toMatchObject({ file, counts: { run: 1 } })
  })

  test('the backup has no space, and leaves nothing', async () => {
    const { home, file } = await storeOn(temporaryFolder())
    const disk = mountedFolder(1)
    const target = join(disk, 'backup.db')
    expect(await runCli(['admin', 'backup', target], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${target} cannot be written: no space left.`),
    })
    expect(readdirSync(disk)).toEqual([])
    expect((await runCli(['admin', 'backup', file], { home })).code).toBe(0)
    const restored = await runCli(['admin', 'restore', file, '--data', join(disk, 'other')], { home })
    expect(restored).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('relt.db cannot be written: no space left.'),
    })
    expect(readdirSync(join(disk, 'other'))).toEqual([])
  })
})

/** As a server finds it whose disk becomes full. */
function fill(disk: string): void {
  const server = new DatabaseSync(join(disk, 'home', 'relt.db'))
  onTestFinished(() => server.close())
  server.prepare('select count(*) from run').get()
  const file = openSync(join(disk, 'filler'), 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(65_536))
  } catch {
    closeSync(file)
  }
}

describe('relt admin verify', () => {
  test('finds every single changed byte of a backup, without its key', async () => {
    const { other, file, run } = await backedUp()
    const bytes = readFileSync(file)
    for (let i = 0; i < 10; i++) {
      const at = Math.floor(((i + 0.5) / 10) * bytes.length)
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      writeFileSync(file, changed)
      expect(await run(['admin', 'verify', file], { data: other })).toMatchObject({ code: 1 })
      expect(await run(['admin', 'restore', file], { data: other })).toMatchObject({ code: 1 })
    }
    writeFileSync(file, bytes)
    expect(await run(['admin', 'verify', file])).toMatchObject({ code: 0 })
  })

  test.each([
    ['a part of a run', `update run_part set sealed = zeroblob(length(sealed)) where kind = 'details'`, 'details'],
    [
      'a part of another run',
      `update run_part set sealed = (select sealed from run_part where kind = 'report')`,
      'context',
    ],
    ['a profile', 'update cluster_config set sealed = zeroblob(100)', 'config'],
    ['a webhook', 'update webhook set sealed = zeroblob(100)', 'webhook'],
  ])('and relt doctor find %s that does not open', async (_, sql, kind) => {
    const { home, run } = await backedUp()
    const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
    await client.call('createConfig', { body: { name: 'x', cluster_name: 'x', provider: 'kubernetes', settings: {} } })
    await client.call('updateAccountSettings', { body: { slack_webhook: 'https://hooks.slack.com/services/T0/B0/x' } })
    await client.close()
    expect(await run(['admin', 'verify'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('all encrypted data can be read (12 parts)'),
    })
    change(join(home, 'relt.db'), sql)
    const verified = await run(['admin', 'verify'])
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`${kind} 0 of `) })
    const doctor = await runCli(['doctor', '--json'], { home })
    const line = JSON.parse(doctor.stdout).checks.find(({ check }: { check: string }) => check === 'sealed data')
    expect(line).toMatchObject({ state: 'fail', found: expect.stringContaining('does not open') })
  })

  test('changes nothing, and reports a missing master key, which is no damage', async () => {
    const { home } = await backedUp()
    const file = join(home, 'relt.db')
    rmSync(join(home, 'master.key'))
    const before = readFileSync(file)
    const key = /master key ([0-9a-f]+) opens it/
    const without = await runCli(['admin', 'verify'], { home })
    expect(without).toMatchObject({ code: 1, stdout: `${file} is intact; not decrypted.\n` })
    expect(without.stderr).toMatch(key)
    expect(without.stderr).not.toContain('restore a backup')
    const other = { RELT_MASTER_KEY: Buffer.alloc(32, 8).toString('hex') }
    const wrong = await runCli(['admin', 'verify'], { home, env: other })
    expect(wrong).toMatchObject({ code: 1, stdout: `${file} is intact; not decrypted.\n` })
    expect(key.exec(wrong.stderr)?.[1]).toBe(key.exec(without.stderr)?.[1])
    expect(JSON.parse((await runCli(['admin', 'verify', '--json'], { home })).stdout)).toMatchObject({
      ...{ success: false, problems: [], not_decrypted: expect.stringContaining('master key') },
    })
    expect(readFileSync(file)).toEqual(before)
  })
})

describe('a migration', () => {
  test('copies the store first, for its owner only, and removes the copy of an earlier one', async () => {
    const home = temporaryFolder()
    const file = join(home, 'relt.db')
    await (await openDatabase(file)).destroy()
    writeFileSync(join(home, 'relt.db.before-v1'), 'earlier')
    migrations.push(async () => ({ sqlite: ['alter table label add column icon text'], postgres: [] }))
    onTestFinished(() => void migrations.pop())
    await Promise.all([1, 2, 3].map(async () => (await openDatabase(file)).destroy()))
    const copies = readdirSync(home).filter((name) => name.includes('before'))
    expect(copies).toEqual(['relt.db.before-v2'])
    const copy = join(home, copies[0]!)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    const db = new DatabaseSync(copy, { readOnly: true })
    expect(db.prepare('pragma user_version').get()).toEqual({ user_version: 1 })
    db.close()
  })
})

describe('a relt.db that was copied without its -wal', () => {
  test('is not called empty beside its key', async () => {
    const home = temporaryFolder()
    const copied = temporaryFolder()
    const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
    await client.call('uploadReport', { body: {}, report: Buffer.from(JSON.stringify(smallReports[0])) })
    for (const name of ['relt.db', 'master.key']) copyFileSync(join(home, name), join(copied, name))
    const before = readFileSync(join(copied, 'relt.db'))
    for (const verb of ['reports list', 'admin users list']) {
      expect(await runCli(verb.split(' '), { home: copied })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/has no data, but .*master\.key belongs to a store\.\nhint: .*relt\.db-wal/),
      })
    }
    expect(readFileSync(join(copied, 'relt.db'))).toEqual(before)
    copyFileSync(join(home, 'relt.db-wal'), join(copied, 'relt.db-wal'))
    expect(JSON.parse((await runCli(['reports', 'list', '--json'], { home: copied })).stdout).total).toBe(1)
    await client.close()
  })

  test('is told from a new store beside a key that was put there first', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'master.key'), `${Buffer.alloc(32, 5).toString('hex')}\n`)
    for (const verb of ['projects list', 'admin users list', 'reports list']) {
      expect(await runCli(verb.split(' '), { home })).toMatchObject({ code: 0 })
    }
    await uploadAll(home, smallReports.slice(0, 1))
    expect(readKey(home)).toBe(Buffer.alloc(32, 5).toString('hex'))
  })
})
