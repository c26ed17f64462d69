import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newestStable } from '../../src/freshness/newest-release.ts'

const app = (...texts: string[]) =>
  texts.map((text) => {
    const [version = '', day = '2026-01-01'] = text.split(' ')
    return { version, type: 'app' as const, publishedAt: Date.parse(day) / 1000 }
  })

describe('newestStable', () => {
  test.each([
    ['by version, not by date', app('1.31.4 2026-08-19', '1.30.5 2026-08-21'), '1.31.4'],
    ['without pre-releases', app('2.0.0-rc.1', '1.9.0'), '1.9.0'],
    ['a misspelt pre-release', app('v1.7.0-alphal.1', 'v1.6.3'), 'v1.6.3'],
    ['by number of digits too', app('2.99', '2.578'), '2.578'],
    ['the release before its patches', app('7.1', '7.0.4', '6.9.7'), '7.1'],
    ['the scheme that came later', app('2021.12.16 2021-12-16', '10.11.4 2026-01-01'), '10.11.4'],
    ['years after plain counts', app('10.6.0 2024-06-01', '2025.1.0 2025-01-20'), '2025.1.0'],
    ['years beside backports', app('5.26.1 2025-01-01', '5.26.29 2026-08-20', '2026.7.1 2026-08-01'), '2026.7.1'],
    ['the usual tags', app('v0.2.1-esoctl', 'v2.9.0', 'v2.8.0'), 'v2.9.0'],
    ['one component of many', app('d-7.14.0', 'd-7.13.0', 'd-7.12.0', 'api/v1.14.0', 'auth/v9.0.0'), 'd-7.14.0'],
    [
      'dated releases',
      app('RELEASE.2025-09-07T16-13-09Z', 'RELEASE.2025-10-15T17-29-55Z'),
      'RELEASE.2025-10-15T17-29-55Z',
    ],
    ['the later rebuild', app('v1.36.3+k3s1', 'v1.36.3+k3s2'), 'v1.36.3+k3s2'],
    ['the last published where no version can be read', app('foo 2026-01-01', 'bar 2026-02-01'), 'bar'],
  ])('takes %s', (_, releases, version) => {
    expect(newestStable(releases)?.version).toBe(version)
    expect(newestStable(releases.toReversed())?.version).toBe(version)
  })

  test('takes a chart only where there is no application', () => {
    const chart = { version: '9.0.0', type: 'helm' as const, publishedAt: 0 }
    expect(newestStable([chart])?.version).toBe('9.0.0')
    expect(newestStable([chart, ...app('1.0.0')])?.version).toBe('1.0.0')
  })

  test('finds nothing among pre-releases', () => {
    expect(newestStable([{ version: '1.0.0', type: 'pre' as const, publishedAt: 0 }])).toBeUndefined()
    expect(newestStable([])).toBeUndefined()
  })

  test('takes one of the releases, and the same one in any order', () => {
    const version = fc.oneof(
      fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((numbers) => numbers.join('.')),
      fc.tuple(fc.integer({ min: 2020, max: 2030 }), fc.nat(12)).map((numbers) => numbers.join('.')),
      fc.string(),
    )
    const release = fc.record({ version, type: fc.constantFrom('app', 'helm', 'pre'), publishedAt: fc.nat(2e9) })
    fc.assert(
      fc.property(fc.uniqueArray(release, { selector: ({ publishedAt }) => publishedAt }), (releases) => {
        const newest = newestStable(releases)
        if (newest) expect(releases).toContain(newest)
        expect(newestStable(releases.toReversed())?.publishedAt).toBe(newest?.publishedAt)
      }),
    )
  })
})
