import { expect, test } from 'vitest'
import { RepositoryAdvisories } from '../../src/collectors/github-advisories/schema.ts'
import { toCatalogAdvisory } from '../../src/collectors/github-advisories/to-catalog-advisory.ts'
import { AdvisoryBook } from '../../src/freshness/affected.ts'
import { parseVersion } from '../../src/freshness/versions.ts'

const owner = { repository: { owner: 'Acme', name: 'Shop' }, slug: 'acme-shop' }

/** A published advisory with these ranges by package. */
function read(vulnerabilities: [name: string | null, range: string | null][], more: object = {}) {
  const [advisory] = RepositoryAdvisories.parse([
    {
      ghsa_id: 'GHSA-23cf-45gh-67jm',
      cve_id: 'CVE-2026-1111',
      html_url: 'https://github.com/acme/shop/security/advisories/GHSA-23cf-45gh-67jm',
      severity: 'high',
      state: 'published',
      published_at: '2026-07-01T00:00:00Z',
      vulnerabilities: vulnerabilities.map(([name, range]) => ({
        package: name === null ? null : { ecosystem: 'go', name },
        vulnerable_version_range: range,
      })),
      ...more,
    },
  ])
  return toCatalogAdvisory(advisory!, owner)
}

test.each(['github.com/acme/shop', 'github.com/Acme/Shop/v2', 'acme/shop', 'shop', 'acme-shop'])(
  'takes the range of the own package %s',
  (name) => {
    expect(read([[name, '>= 1.0, < 1.2.3']])).toMatchObject({
      id: 'CVE-2026-1111',
      aliases: ['GHSA-23cf-45gh-67jm'],
      severity: 'high',
      published_at: Date.UTC(2026, 6, 1) / 1000,
      affected: [{ introduced: '1.0', fixed: '1.2.3', last_affected: null }],
    })
  },
)

test.each(['github.com/acme/other', 'shop-client', 'github.com/acme/shop/sdk', null])(
  'leaves out the other package %s',
  (name) => {
    expect(read([[name, '< 1.2.3']])).toBeUndefined()
  },
)

test('leaves out drafts and withdrawn advisories', () => {
  expect(read([['shop', '< 1.2.3']], { state: 'draft' })).toBeUndefined()
  expect(read([['shop', '< 1.2.3']], { withdrawn_at: '2026-07-02T00:00:00Z' })).toBeUndefined()
})

test('a range in another form leaves the advisory undecided, never unaffected', () => {
  const { id, aliases, severity, affected } = read([
    ['shop', '< 1.2.3'],
    ['shop', '2.x before the fix'],
  ])!
  const book = new AdvisoryBook([{ id, aliases, severity, score: null, publishedAt: 0, ranges: affected }])
  const toState = (text: string) => {
    const running = { version: parseVersion(text)!, isLine: false, yearsAreLater: false }
    const { advisories, undecided } = book.of(running)
    return advisories.length > 0 ? 'affected' : undecided.length > 0 ? 'undecided' : 'not affected'
  }
  expect(['1.2.2', '1.2.3', '2.1.0'].map(toState)).toEqual(['affected', 'undecided', 'undecided'])
})

test.each([
  [{}, 'high', null],
  [{ severity: 'unknown' }, null, null],
  [{ cvss: { vector_string: null, score: null } }, 'high', null],
  [{ cvss: { vector_string: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', score: 9.8 } }, 'critical', 9.8],
  [
    {
      cvss_severities: {
        cvss_v4: { vector_string: 'CVSS:4.0/AV:L/AC:L/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N' },
      },
    },
    'medium',
    5.9,
  ],
])('rates by the vectors and the word of %j', (more, severity, score) => {
  expect(read([['shop', '< 1.2.3']], more)).toMatchObject({ severity, score })
})
