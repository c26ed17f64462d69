import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Keychain } from '../../src/config/keychain.ts'
import { openSecretStore } from '../../src/config/secret-store.ts'
import { temporaryFolder } from '../helpers/cli.ts'

/** The keychain of the machine, as the test wants it. */
let keychain: Keychain | undefined
vi.mock('../../src/config/keychain.ts', () => ({ openKeychain: async () => keychain }))

beforeEach(() => {
  keychain = undefined
})

const broken = async (): Promise<never> => {
  throw new Error('it is locked')
}
const ada = { url: 'https://radar.example/api/relt/v1', username: 'ada' }

function memory(): Keychain {
  const entries = new Map<string, string>()
  return {
    get: async (name) => entries.get(name),
    set: async (name, secret) => void entries.set(name, secret),
    remove: async (name) => void entries.delete(name),
  }
}

test('a secret goes into the keychain, and comes back from there', async () => {
  keychain = memory()
  const store = openSecretStore({ RELT_HOME: temporaryFolder() })
  expect(await store.put(ada, 'größe')).toBe('keychain')
  expect(await store.get({ ...ada, secret: 'keychain' })).toBe('größe')
  await expect(store.get({ ...ada, username: 'eve', secret: 'keychain' })).rejects.toMatchObject({
    code: 'unauthenticated',
  })
  expect(await store.remove({ ...ada, secret: 'keychain' })).toBe(true)
  await expect(store.get({ ...ada, secret: 'keychain' })).rejects.toThrow('The keychain has no secret of ada@')
})

test.each<[string, Record<string, string>, Keychain | undefined]>([
  ['is turned off', { RELT_KEYCHAIN: 'off' }, memory()],
  ['is not there', {}, undefined],
  ['is locked', {}, { get: broken, set: broken, remove: broken }],
  ['forgets', {}, { get: async () => undefined, set: async () => {}, remove: broken }],
])('a secret is sealed in a file that only its owner reads when the keychain %s', async (_, env, machine) => {
  keychain = machine
  const home = temporaryFolder()
  const store = openSecretStore({ RELT_HOME: home, ...env })
  expect(await store.put(ada, 'geheim')).toBe('file')
  expect(await store.put({ ...ada, username: 'bob' }, 'anders')).toBe('file')
  for (const file of ['credentials.json', 'credentials.key']) {
    expect(statSync(join(home, file)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(home, file), 'utf8')).not.toContain('geheim')
  }
  const again = openSecretStore({ RELT_HOME: home, ...env })
  expect(await again.get({ ...ada, secret: 'file' })).toBe('geheim')
  expect(await again.get({ ...ada, username: 'bob', secret: 'file' })).toBe('anders')
  expect(await again.remove({ ...ada, secret: 'file' })).toBe(true)
  await expect(again.get({ ...ada, secret: 'file' })).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await again.get({ ...ada, username: 'bob', secret: 'file' })).toBe('anders')
})

test('a keychain that is locked later is told, and no other place is looked at', async () => {
  keychain = memory()
  const store = openSecretStore({ RELT_HOME: temporaryFolder() })
  await store.put(ada, 'geheim')
  keychain = { get: broken, set: broken, remove: broken }
  await expect(store.get({ ...ada, secret: 'keychain' })).rejects.toMatchObject({
    code: 'unauthenticated',
    message: `The keychain does not give the secret of ada@${ada.url}: it is locked.`,
    hint: 'Unlock the keychain, or set RELT_USERNAME and RELT_PASSWORD.',
  })
  expect(await store.remove({ ...ada, secret: 'keychain' })).toBe(false)
})

describe('a sealed file', () => {
  async function sealed() {
    const home = temporaryFolder()
    const store = openSecretStore({ RELT_HOME: home, RELT_KEYCHAIN: 'off' })
    await store.put(ada, 'geheim')
    const file = join(home, 'credentials.json')
    return { home, store, file, secrets: JSON.parse(readFileSync(file, 'utf8')) as Record<string, string> }
  }

  test('does not open for another address or user', async () => {
    const { store, file, secrets } = await sealed()
    const [moved] = Object.values(secrets)
    writeFileSync(file, JSON.stringify({ 'ada@https://evil.example': moved }))
    const evil = { url: 'https://evil.example', username: 'ada', secret: 'file' } as const
    await expect(store.get(evil)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test.each(['{', '[]', '{"a": 1}'])('that holds %s is told', async (text) => {
    const { store, file } = await sealed()
    writeFileSync(file, text)
    await expect(store.get({ ...ada, secret: 'file' })).rejects.toThrow(`${file} holds no sealed secrets.`)
  })

  test('without its key gives nothing', async () => {
    const { home, store } = await sealed()
    writeFileSync(join(home, 'credentials.key'), '')
    await expect(store.get({ ...ada, secret: 'file' })).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})
