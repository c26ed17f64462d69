import { expect, test } from 'vitest'
import { readCatalogSettings } from '../../src/config/catalog.ts'
import { hasGithubToken } from '../../src/config/source-secret.ts'

test.each([
  ['the token for all, at its host', { RELT_GITHUB_TOKEN: 'x' }, [], 'github.com', true],
  ['the token for all, elsewhere', { RELT_GITHUB_TOKEN: 'x' }, [], 'git.example', false],
  ['its own token', { RELT_CATALOG_TOKEN_SHOP_API: 'x' }, [], 'git.example', true],
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
  expect(hasGithubToken(env, readCatalogSettings(env))({ slug: 'shop-api', secretHosts }, host)).toBe(expected)
})
