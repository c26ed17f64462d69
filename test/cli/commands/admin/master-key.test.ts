import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { armor, Decrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { describe, expect, test } from 'vitest'
import { openAdmin } from '../../../../src/admin/admin.ts'
import { createLocalClient } from '../../../../src/client/local.ts'
import { authenticate } from '../../../../src/operations/accounts/authenticate.ts'
import { openService } from '../../../../src/service/service.ts'
import { toKeyId } from '../../../../src/util/seal.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { createKey } from '../../../helpers/create-key.ts'
import { makeSmallCatalog, smallReports } from '../../../helpers/small-store.ts'

const keyA = Buffer.alloc(32, 1).toString('hex')
const keyB = Buffer.alloc(32, 2).toString('hex')
const toId = (hex: string) => toKeyId(Buffer.from(hex, 'hex'))
const off = { RELT_KEYCHAIN: 'off' }

/** A store with two runs and a user's key, its master key in a file or in the environment. */
async function openStore(env: Record<string, string> = {}) {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  for (const report of smallReports.slice(0, 2)) {
    await runCli(['reports', 'upload', '-'], { home, env, stdin: JSON.stringify(report) })
  }
  const store = { env: { RELT_HOME: home, ...off, ...env }, now: () => testNow }
  const admin = await openAdmin(store)
  await admin.addUser({ login: 'ada', role: 'user', plan: 'pro' })
  const password = await createKey(store, 'ada')
  await admin.close()
  const run = (line: string, more: Record<string, string> = env, options: object = {}) =>
    runCli(line.split(' '), { home, env: more, ...options })
  const status = async (more?: Record<string, string>) =>
    JSON.parse((await run('admin master-key status --json', more)).stdout)
  /** Everything that needs a key works: sealed reports, and the user's key. */
  async function expectOpen(more: Record<string, string> = env) {
    expect(await run('admin verify', more)).toMatchObject({ code: 0 })
    expect(await run('reports compare', more)).toMatchObject({ code: 0, stderr: '' })
    const service = await openService({ env: { RELT_HOME: home, ...off, ...more }, now: () => testNow })
    expect(await authenticate(service, 'ada', password, testNow)).toMatchObject({ login: 'ada' })
    await service.db.destroy()
  }
  return { home, run, status, expectOpen, readKey: () => readFileSync(join(home, 'master.key'), 'utf8').trim() }
}

describe('relt admin master-key rotate', () => {
  test('makes a new key in the file, and the old one opens nothing more', async () => {
    const { home, run, status, expectOpen, readKey } = await openStore()
    const old = readKey()
    const before = readFileSync(join(home, 'relt.db')).length
    const result = await run('admin master-key rotate')
    expect(result).toMatchObject({ code: 0, stdout: '' })
    expect(readKey()).not.toBe(old)
    expect(result.stderr).toContain(`Existing backups need the previous key ${toId(old)}.`)
    expect(statSync(join(home, 'master.key')).mode & 0o777).toBe(0o600)
    expect(readdirSync(home).filter((name) => name.startsWith('master'))).toEqual(['master.key'])
    expect(readFileSync(join(home, 'relt.db')).length).toBe(before)
    expect((await status()).master_key).toMatchObject({ id: toId(readKey()), place: 'file', available: true })
    await expectOpen()
    expect(await run('reports compare', { RELT_MASTER_KEY: old })).toMatchObject({ code: 1 })
  })

  test('takes the new key from the environment; until then, and for the others, the old one is the previous one', async () => {
    const { run, status, expectOpen } = await openStore({ RELT_MASTER_KEY: keyA })
    const both = { RELT_MASTER_KEY: keyB, RELT_MASTER_KEY_PREVIOUS: keyA }
    await expectOpen(both)
    expect(await run('admin master-key rotate', { RELT_MASTER_KEY: keyA })).toMatchObject({ code: 2 })
    expect(await run('admin master-key rotate', { RELT_MASTER_KEY: keyB })).toMatchObject({ code: 1 })
    expect(await run('admin master-key rotate', both)).toMatchObject({ code: 0 })
    await expectOpen(both)
    await expectOpen({ RELT_MASTER_KEY: keyB })
    expect((await status({ RELT_MASTER_KEY: keyB })).master_key).toMatchObject({ id: toId(keyB), place: 'env' })
    expect(await run('reports compare', { RELT_MASTER_KEY: keyA })).toMatchObject({ code: 1 })
  })

  test('moves the key from its file to a command, and removes the file', async () => {
    const { home, run, expectOpen } = await openStore()
    const command = { RELT_MASTER_KEY_COMMAND: `printf %s ${keyB}` }
    expect(await run('admin master-key rotate', command)).toMatchObject({ code: 0 })
    expect(existsSync(join(home, 'master.key'))).toBe(false)
    await expectOpen(command)
  })

  test('changes nothing of what is sealed, and is in the audit', async () => {
    const { home, run } = await openStore()
    const sealed = () => {
      const db = new DatabaseSync(join(home, 'relt.db'), { readOnly: true })
      const rows = db.prepare('select key_id, sealed from run_part').all()
      db.close()
      return rows
    }
    const before = sealed()
    await run('admin master-key rotate')
    expect(sealed()).toEqual(before)
    expect((await run('admin audit')).stdout).toContain('master-key.rotate')
  })

  test('leaves a server that has the store open working', async () => {
    const { home, run } = await openStore()
    const client = await createLocalClient({ env: { RELT_HOME: home, ...off }, now: () => testNow })
    await client.call('compareReports', {})
    await run('admin master-key rotate')
    await client.call('uploadReport', { body: {}, report: Buffer.from(JSON.stringify(smallReports[2])) })
    await client.call('compareReports', {})
    await client.close()
    expect(await run('admin verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('3 runs') })
  })
})

describe('relt admin master-key reencrypt', () => {
  test('seals every piece again, and removes the key that nothing uses', async () => {
    const { home, run, status, expectOpen } = await openStore()
    const client = await createLocalClient({ env: { RELT_HOME: home, ...off }, now: () => testNow })
    await client.call('createConfig', { body: { name: 'x', cluster_name: 'x', provider: 'kubernetes', settings: {} } })
    await client.call('updateAccountSettings', { body: { slack_webhook: 'https://hooks.slack.com/services/T0/B0/x' } })
    await client.call('createException', {
      body: { check: 'NET002', all_clusters: true, reason: 'Known', expires_on: '2026-12-31' },
    })
    const before = (await status()).data_keys.find(({ purpose }: { purpose: string }) => purpose === 'seal')
    expect(before).toMatchObject({ state: 'active', pieces: 13 })
    expect(JSON.parse((await run('admin master-key reencrypt --json')).stdout)).toEqual({
      success: true,
      new_key: true,
      pieces: 13,
      damaged: [],
      removed_keys: [before.id],
    })
    const keys = (await status()).data_keys
    expect(keys.filter(({ purpose }: { purpose: string }) => purpose === 'seal')).toEqual([
      expect.objectContaining({ state: 'active', pieces: 13 }),
    ])
    expect(keys).toHaveLength(2)
    // The process that had the old key goes on, reading and writing.
    await client.call('compareReports', {})
    await client.call('uploadReport', { body: {}, report: Buffer.from(JSON.stringify(smallReports[2])) })
    expect(await client.call('listConfigs', {})).toMatchObject({ items: [{ name: 'x' }] })
    expect(await client.call('listExceptions', {})).toMatchObject({ items: [{ check: 'NET002', reason: 'Known' }] })
    await client.call('updateAccountSettings', { body: { slack_webhook: 'https://hooks.slack.com/services/T0/B0/y' } })
    await client.close()
    await expectOpen()
  })

  test('keeps the key of a piece that does not open, and says which one it is', async () => {
    const { home, run, status } = await openStore()
    const db = new DatabaseSync(join(home, 'relt.db'))
    const key = (await status()).data_keys.find(({ purpose }: { purpose: string }) => purpose === 'seal').id
    db.exec(`update run_part set sealed = zeroblob(99) where kind = 'details' and run_id = 1`)
    db.close()
    const result = await run('admin master-key reencrypt')
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('1 piece could not be decrypted') })
    expect((await status()).data_keys).toContainEqual(expect.objectContaining({ id: key, state: 'retired', pieces: 1 }))
  })
})

describe('relt admin master-key status', () => {
  test('says that there is no key yet, or that the key is not there', async () => {
    const home = temporaryFolder()
    const argv = ['admin', 'master-key', 'status']
    expect((await runCli(argv, { home })).stderr).toBe('No key yet. The first upload creates one.\n')
    const { run } = await openStore({ RELT_MASTER_KEY: keyA })
    expect((await run('admin master-key status', {})).stderr).toContain('Not available: The master key of this store')
  })
})

describe('relt admin master-key recovery-kit', () => {
  test('goes into no pipe unless that is meant', async () => {
    const { run, readKey } = await openStore()
    const refused = await run('admin master-key recovery-kit')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).not.toContain(readKey())
    expect((await run('admin master-key recovery-kit --json')).code).toBe(2)
    expect((await run('admin master-key recovery-kit --stdout')).stdout).toContain(readKey())
    expect((await run('admin master-key recovery-kit', {}, { columns: 100 })).stdout).toContain(readKey())
  })

  test('goes into a new file of its owner, and follows no link', async () => {
    const { home, run, readKey } = await openStore()
    const file = join(home, 'kit.txt')
    expect(await run(`admin master-key recovery-kit --out ${file}`)).toMatchObject({ code: 0, stdout: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain(readKey())
    const other = join(home, 'other')
    writeFileSync(other, 'mine')
    execFileSync('ln', ['-s', other, join(home, 'link')])
    expect(await run(`admin master-key recovery-kit --out ${join(home, 'link')}`)).toMatchObject({ code: 2 })
    expect(readFileSync(other, 'utf8')).toBe('mine')
  })

  test('opens a backup elsewhere by its own instructions', async () => {
    const { home, run } = await openStore()
    const folder = temporaryFolder()
    await run(`admin backup ${join(folder, 'backup.db')}`)
    const kit = (await run('admin master-key recovery-kit --stdout')).stdout
    const target = join(folder, 'target')
    const [echo] = kit.split('\n').filter((line) => line.startsWith('  (') || line.startsWith('  relt'))
    execFileSync('sh', ['-c', echo!.replaceAll('FOLDER', target)])
    const restored = await runCli(['admin', 'restore', join(folder, 'backup.db'), '--data', target], { home })
    expect(restored).toMatchObject({ code: 0, stderr: expect.not.stringContaining('NOT AUTHENTICATED') })
    expect(await runCli(['admin', 'verify', '--data', target], { home: folder })).toMatchObject({ code: 0 })
  })

  test('is sealed to each recipient', async () => {
    const { run, readKey } = await openStore()
    const identities = await Promise.all([generateIdentity(), generateIdentity()])
    const recipients = await Promise.all(identities.map((identity) => identityToRecipient(identity)))
    const line = `admin master-key recovery-kit ${recipients.map((each) => `--recipient ${each}`).join(' ')}`
    const { code, stdout } = await run(line)
    expect(code).toBe(0)
    expect(stdout).not.toContain(readKey())
    for (const identity of identities) {
      const decrypter = new Decrypter()
      decrypter.addIdentity(identity)
      expect(await decrypter.decrypt(armor.decode(stdout), 'text')).toContain(readKey())
    }
    expect(await run('admin master-key recovery-kit --recipient bob')).toMatchObject({ code: 2 })
  })
})
