import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openKeychain } from '../../src/config/keychain.ts'
import { openSecretStore } from '../../src/config/secret-store.ts'
import { openMasterKeys } from '../../src/config/secrets.ts'
import { temporaryFolder } from '../helpers/cli.ts'

/** Writes into the keychain of the person who runs it, so only on demand. */
describe.skipIf(process.env.RELT_TEST_KEYCHAIN !== '1')('the keychain of this machine', () => {
  async function forgetLater(name: string): Promise<void> {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    onTestFinished(async () => {
      await new AsyncEntry('relt', name, { linux: { store: 'secret-service' } }).deleteCredential()
    })
  }

  test('keeps what it is given and knows nothing else', async () => {
    const keychain = (await openKeychain(temporaryFolder()))!
    const name = `test-${randomBytes(8).toString('hex')}`
    expect(await keychain.get(name)).toBeUndefined()
    await forgetLater(name)
    await keychain.set(name, 'größe 1')
    expect(await keychain.get(name)).toBe('größe 1')
    await keychain.set(name, 'größe 2')
    expect(await (await openKeychain(temporaryFolder()))!.get(name)).toBe('größe 2')
  })

  test('keeps a master key', async () => {
    const folder = temporaryFolder()
    const made = await openMasterKeys({}, folder).create()
    expect(made.place).toBe('keychain')
    await forgetLater(`master-key-${made.id}`)
    expect(await openMasterKeys({}, folder).get(made.id, 'keychain')).toEqual(made)
  })

  test('keeps the secret of a server, and forgets it', async () => {
    const home = temporaryFolder()
    const store = openSecretStore({ RELT_HOME: home })
    const server = { url: `https://${randomBytes(8).toString('hex')}.example/api/relt/v1`, username: 'ada' }
    expect(await store.put(server, 'größe')).toBe('keychain')
    expect(await store.get({ ...server, secret: 'keychain' })).toBe('größe')
    expect(readdirSync(home)).toEqual([])
    expect(await store.remove({ ...server, secret: 'keychain' })).toBe(true)
    await expect(store.get({ ...server, secret: 'keychain' })).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})

test.runIf(process.platform === 'linux')(
  'without a session bus the keychain does not answer and a file serves',
  async () => {
    const folder = temporaryFolder()
    const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
    const script = `
    const { openKeychain } = await import(${module('../../src/config/keychain.ts')})
    const { openMasterKeys } = await import(${module('../../src/config/secrets.ts')})
    const keychain = await openKeychain(process.argv[1])
    const answered = await keychain.get('test').then(() => true, () => false)
    const { place } = await openMasterKeys({}, process.argv[1]).create()
    console.log(JSON.stringify({ answered, place }))`
    const env = {
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/no/such/bus',
      XDG_RUNTIME_DIR: '/no/such',
      HOME: folder,
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, folder], {
      env,
    })
    expect(JSON.parse(stdout)).toEqual({ answered: false, place: 'file' })
  },
)
