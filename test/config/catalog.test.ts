import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCatalogSettings } from '../../src/config/catalog.ts'

test.each([
  [undefined, 'https://api.osv.dev'],
  [' ', 'https://api.osv.dev'],
  ['https://osv.example/mirror/', 'https://osv.example/mirror'],
  ['none', undefined],
])('RELT_OSV_URL %j means %j', (value, url) => {
  expect(readCatalogSettings({ RELT_OSV_URL: value }).osvUrl).toBe(url)
})

test('RELT_OSV_URL is a web address or none', () => {
  expect(() => readCatalogSettings({ RELT_OSV_URL: 'off' })).toThrow('RELT_OSV_URL')
})

test('docs/trust.md names every host that relt connects to by itself', () => {
  const guide = readFileSync(new URL('../../docs/trust.md', import.meta.url), 'utf8')
  const { github, osvUrl, eolUrl, exploitedUrl, channelsUrl } = readCatalogSettings({})
  for (const url of [github.webUrl, github.apiUrl, osvUrl, eolUrl, exploitedUrl, channelsUrl]) {
    expect(guide).toContain(`\`${new URL(url!).host}\``)
  }
})
