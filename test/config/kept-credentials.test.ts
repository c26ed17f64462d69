import { expect, test } from 'vitest'
import { readConfig, writeConfig } from '../../src/config/config-file.ts'
import { findKeptCredentials } from '../../src/config/kept-credentials.ts'
import { openSecretStore } from '../../src/config/secret-store.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const server = { url: 'https://radar.example/api/relt/v1', username: 'ada', secret: 'file' } as const

function signedIn(more: Record<string, string> = {}) {
  const env = { RELT_HOME: temporaryFolder(), RELT_KEYCHAIN: 'off', ...more }
  const servers = new Map([['work', server]])
  writeConfig(env, { settings: { server: 'work' }, servers, scanAccess: new Map() })
  return env
}

test('a new secret takes the place of the old, with the key it is of', async () => {
  const env = signedIn()
  const credentials = findKeptCredentials({}, env)!
  expect(await credentials.currentKeyUuid()).toBeUndefined()
  await credentials.save({ uuid: 'key-2', password: 'abcd efgh' })
  expect(await findKeptCredentials({}, env)!.currentKeyUuid()).toBe('key-2')
  expect(await openSecretStore(env).get(readConfig(env).servers.get('work')!)).toBe('abcd efgh')
})

test('what the environment gives is not stored', async () => {
  const env = signedIn({ RELT_USERNAME: 'ada', RELT_PASSWORD: 'secret' })
  const credentials = findKeptCredentials({}, env)!
  expect(await credentials.currentKeyUuid()).toBeUndefined()
  await expect(credentials.save({ uuid: 'x', password: 'y' })).rejects.toThrow('come from the environment')
})

test('the store on this machine has none', () => {
  expect(findKeptCredentials({ local: true }, signedIn())).toBeUndefined()
  expect(findKeptCredentials({}, { RELT_HOME: temporaryFolder() })).toBeUndefined()
})
