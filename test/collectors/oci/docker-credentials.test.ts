import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDockerCredentials } from '../../../src/collectors/oci/docker-credentials.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

function find(config: unknown, registry: string, mode = ''): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'relt-docker-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config))
  const path = [join(import.meta.dirname, 'fixtures'), dirname(process.execPath)].join(delimiter)
  return createDockerCredentials({ DOCKER_CONFIG: folder, PATH: path, HELPER_MODE: mode })(registry)
}

const ada = { username: 'ada', secret: 'hun:ter2' }
const auth = base64('ada:hun:ter2')

test.each<[what: string, config: unknown, registry: string, expected: unknown]>([
  ['a host', { auths: { 'ghcr.io': { auth } } }, 'ghcr.io', ada],
  ['a host and its port', { auths: { 'example.com:5000': { auth } } }, 'example.com:5000', ada],
  ['an address', { auths: { 'https://example.com/v1/': { auth } } }, 'example.com', ada],
  ["Docker's own registry", { auths: { 'https://index.docker.io/v1/': { auth } } }, 'docker.io', ada],
  ['a name and a password apart', { auths: { 'ghcr.io': { username: 'ada', password: 'hun:ter2' } } }, 'ghcr.io', ada],
  ['an identity token', { auths: { 'ghcr.io': { auth, identitytoken: 'x' } } }, 'ghcr.io', { identityToken: 'x' }],
  ['nothing for another host', { auths: { 'ghcr.io': { auth } } }, 'ghcr.io.example.com', undefined],
  ['nothing for a name that is none', { auths: {} }, '__proto__', undefined],
  ['nothing where only a helper knows', { auths: { 'ghcr.io': {} } }, 'ghcr.io', undefined],
  ['nothing in a broken file', '{', 'ghcr.io', undefined],
  ['nothing in a file of another kind', { auths: [1] }, 'ghcr.io', undefined],
])('finds %s', async (_, config, registry, expected) => {
  expect(await find(config, registry)).toEqual(expected)
})

const helped = { credHelpers: { 'ghcr.io': 'relt-test' }, auths: { 'ghcr.io': { auth } } }

test.each<[what: string, config: unknown, registry: string, mode: string, expected: unknown]>([
  ['of a registry', helped, 'ghcr.io', '', { username: 'ada at ghcr.io', secret: 'hunter2' }],
  [
    'of all registries',
    { credsStore: 'relt-test' },
    'docker.io',
    '',
    { username: 'ada at https://index.docker.io/v1/', secret: 'hunter2' },
  ],
  ['that has a token', helped, 'ghcr.io', 'token', { identityToken: 'hunter2' }],
  ['that fails, then the file', helped, 'ghcr.io', 'fail', ada],
  ['that says something else, then the file', helped, 'ghcr.io', 'nonsense', ada],
  ['that says too much, then the file', helped, 'ghcr.io', 'flood', ada],
  ['that is not there, then the file', { ...helped, credHelpers: { 'ghcr.io': 'gone' } }, 'ghcr.io', '', ada],
  ['whose name is a path, then the file', { ...helped, credHelpers: { 'ghcr.io': '../x' } }, 'ghcr.io', '', ada],
])('asks the helper %s', async (_, config, registry, mode, expected) => {
  expect(await find(config, registry, mode)).toEqual(expected)
})

test('without a file nobody is known', async () => {
  expect(await createDockerCredentials({ DOCKER_CONFIG: '/no/such' })('ghcr.io')).toBeUndefined()
})
