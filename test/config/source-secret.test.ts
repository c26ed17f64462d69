import { describe, expect, test } from 'vitest'
import { readCatalogSettings } from '../../src/config/catalog.ts'
import { hasGithubToken, secretFromEnv } from '../../src/config/source-secret.ts'

test.each([
  ['the token for all, at its host', { RELT_GITHUB_TOKEN: 'x' }, [], 'github.com', true],
  ['the token for all, elsewhere', { RELT_GITHUB_TOKEN: 'x' }, [], 'git.example', false],
  ['its own token for no host', { RELT_CATALOG_TOKEN_SHOP_API: 'x' }, [], 'git.example', false],
  [
    'its own token for its host',
    { RELT_CATALOG_TOKEN_SHOP_API: 'x', RELT_CATALOG_HOSTS_SHOP_API: 'git.example' },
    [],
    'git.example',
    true,
  ],
  [
    'its own token for another host',
    { RELT_CATALOG_TOKEN_SHOP_API: 'x', RELT_CATALOG_HOSTS_SHOP_API: 'git.example' },
    [],
    'github.com',
    false,
  ],
  ['an empty token', { RELT_CATALOG_TOKEN_SHOP_API: '' }, [], 'github.com', false],
  ['a token in the keychain', {}, ['git.example'], 'git.example', true],
  ['a token in the keychain for another host', {}, ['git.example'], 'github.com', false],
])('a project is asked about with %s', (_, env, secretHosts, host, expected) => {
  const project = { slug: 'shop-api', secretHosts, hasSyncedAddress: false }
  expect(hasGithubToken(env, readCatalogSettings(env))(project, `https://${host}/shop/api`)).toBe(expected)
})

describe('a token of the environment', () => {
  const at = (hasSyncedAddress: boolean, hosts?: string) => (address: string) => {
    const env = {
      RELT_CATALOG_TOKEN_SHOP_API: 'hunter2',
      ...(hosts !== undefined && { RELT_CATALOG_HOSTS_SHOP_API: hosts }),
    }
    return secretFromEnv(env, { slug: 'shop-api', secretHosts: [], hasSyncedAddress }, address)
  }

  test('is for the hosts that the operator lists', () => {
    const find = at(false, 'git.example, charts.example:8443')
    expect(find('https://git.example/shop/api')).toEqual({ secret: 'hunter2' })
    expect(find('https://charts.example:8443/stable')).toEqual({ secret: 'hunter2' })
    for (const other of [
      'https://charts.example/',
      'https://git.example.evil.example/',
      'https://evil.example/git.example',
    ]) {
      expect(find(other)).toBeUndefined()
    }
  })

  test.each([undefined, '', ' , '])('is for nobody while the operator lists %j', (hosts) => {
    expect(() => at(false, hosts)('https://git.example/shop/api')).toThrow('RELT_CATALOG_HOSTS_SHOP_API')
  })

  test('needs the whole address when that came over the interface', () => {
    const find = at(true, 'git.example, https://charts.example/shop')
    expect(find('https://charts.example/shop')).toEqual({ secret: 'hunter2' })
    expect(() => find('https://git.example/evil')).toThrow('whole address')
    expect(find('https://charts.example/evil')).toBeUndefined()
  })
})
