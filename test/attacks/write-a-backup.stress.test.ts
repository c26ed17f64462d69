import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { toDigest, writeDigest } from '../../src/operations/store-care/backup-digest.ts'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'
import { isOnPostgres } from '../helpers/memory-store.ts'

const noMac = '0'.repeat(64)

/** A store with two accounts, and a backup of it, which somebody else keeps. */
async function backedUp() {
  const folder = temporaryFolder()
  const [home, other, file] = [join(folder, 'home'), join(folder, 'other'), join(folder, 'backup.db')]
  const run = (argv: string, data = home, env = {}) =>
    runCli([...argv.split(' '), '--data', data], { home, env, now: testNow })
  for (const argv of [
    'admin users add ada --role admin',
    'admin users add eve',
    'keys create CI --as ada',
    `admin backup ${file}`,
  ]) {
    expect(await run(argv)).toMatchObject({ code: 0 })
  }
  const key = readFileSync(join(home, 'master.key'), 'utf8').trim()
  const restore = (more = '', env: Record<string, string> = { RELT_MASTER_KEY: key }) =>
    run(`admin restore ${file}${more}`, other, env)
  const verify = (more = '', env: Record<string, string> = { RELT_MASTER_KEY: key }) =>
    run(`admin verify ${file}${more}`, other, env)
  /** Changes the backup as somebody does who knows how its digest is made. */
  const forge = async (sql: string, { mac }: { mac?: string } = {}) => {
    const db = new DatabaseSync(file)
    db.exec(sql)
    const isThere = db.prepare(`select 1 from sqlite_schema where name = 'backup_manifest'`).get()
    const manifest = isThere && JSON.parse(String(db.prepare('select manifest from backup_manifest').get()!.manifest))
    db.close()
    if (!manifest) return
    await writeDigest(file, (await toDigest(file, manifest.id))!, mac ?? manifest.mac)
  }
  return { home, other, file, key, run, restore, verify, forge }
}

const makeAdmin = `update user set role = 'admin' where login = 'eve'`

test.skipIf(isOnPostgres)(
  'a backup that the store wrote is authenticated, restored, and its administrators are listed',
  async () => {
    const { restore, verify } = await backedUp()
    expect(JSON.parse((await verify(' --json')).stdout)).toMatchObject({ success: true, authenticated: true })
    const restored = await restore()
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('Administrators: ada\n') })
    expect(restored.stderr).not.toContain('NOT AUTHENTICATED')
  },
)

test.skipIf(isOnPostgres).each<[string, string, { mac?: string }]>([
  ['whose rows were changed', makeAdmin, {}],
  ['without the code of its store', makeAdmin, { mac: noMac }],
  ['with a code that somebody made up', makeAdmin, { mac: 'a'.repeat(64) }],
  ['without a manifest', `${makeAdmin}; drop table backup_manifest`, {}],
])('a backup %s is neither intact nor restored, unless one asks for it', async (_, sql, options) => {
  const { restore, verify, forge, other } = await backedUp()
  await forge(sql, options)
  expect(await verify()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^(this store did not write|it has no manifest)/),
  })
  const refused = await restore()
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/was not written by this store|has no manifest/),
  })
  expect(refused.stderr).toContain('--unauthenticated')
  const forced = await restore(' --unauthenticated --json')
  expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining('NOT AUTHENTICATED') })
  expect(JSON.parse(forced.stdout)).toMatchObject({ authenticated: false, administrators: ['ada', 'eve'] })
  expect(other).toBeDefined()
})

test.skipIf(isOnPostgres)('a role that a restored backup gave to somebody grants nothing, and is found', async () => {
  const { restore, forge, run, other, key } = await backedUp()
  await forge(makeAdmin)
  await restore(' --unauthenticated')
  expect(await run('admin verify', other, { RELT_MASTER_KEY: key })).toMatchObject({
    code: 1,
    stdout: 'role admin of eve was not written by relt\n',
  })
})

test.skipIf(isOnPostgres)('what grants access and differs from the replaced store is listed', async () => {
  const { home, other, file, run, key } = await backedUp()
  await run('keys create later --as eve')
  await run('admin users set-role ada user')
  const argv = `admin restore ${file} --replaces ${home}`
  const restored = await run(argv, other, { RELT_MASTER_KEY: key })
  expect(restored.stderr).toMatch(
    /Differs from the store that it replaces:\n {2}- API key [0-9a-f-]{36} \("later"\) of eve\n {2}~ role of ada\n/,
  )
  const same = await run(`admin restore ${file} --replaces ${file} --json`, join(other, 'again'), {
    RELT_MASTER_KEY: key,
  })
  expect(JSON.parse(same.stdout).differences).toEqual({ added: [], removed: [], changed: [] })
})

test.skipIf(isOnPostgres)('without the key of the store a backup is restored, and said to be unchecked', async () => {
  const { restore, verify } = await backedUp()
  expect(await verify('', {})).toMatchObject({ stderr: expect.not.stringContaining('did not write') })
  expect(await restore('', {})).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('NOT AUTHENTICATED: its key is not available'),
  })
})

test.skipIf(isOnPostgres)('a changed code of a backup is found with the key', async () => {
  const { file, verify } = await backedUp()
  const bytes = readFileSync(file)
  const at = bytes.indexOf('","mac":"') + '","mac":"'.length
  bytes.write(bytes[at] === 0x30 ? '1' : '0', at)
  writeFileSync(file, bytes)
  expect(await verify()).toMatchObject({ code: 1 })
})
