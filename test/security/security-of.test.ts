import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toSecurity } from '../../src/security/security-of.ts'

const fixes: [string, Partial<ReturnType<typeof toSecurity>>][] = [
  [
    '## Changes\n\n- Fix **CVE-2024-45337** in `x/crypto` (severity: critical)\n- Docs',
    {
      cve_list: ['CVE-2024-45337'],
      security_severity: 'critical',
      security_summary: 'Fix CVE-2024-45337 in x/crypto (severity: critical)',
    },
  ],
  [
    '<h2>Security</h2><ul><li>Bump <a href="https://x.example">go</a> for CVE-2023-44487</li><li>other</li></ul>',
    { cve_list: ['CVE-2023-44487'], security_summary: 'Bump go for CVE-2023-44487' },
  ],
  [
    'This release fixes a vulnerability in the login page.',
    { cve_list: null, cve_links: null, security_summary: 'This release fixes a vulnerability in the login page.' },
  ],
  ['This is a security release. Please update.', { cve_list: null }],
  [
    'We are not affected by CVE-2021-44228.\nFixed CVE-2021-45046.',
    { cve_list: ['CVE-2021-45046'], cve_links: ['https://nvd.nist.gov/vuln/detail/CVE-2021-45046'] },
  ],
]

const others = [
  '',
  'Bug fixes and improvements',
  'The chart is not affected by CVE-2021-44228',
  'Scanner: report CVE-2024-3094 as a false positive no more',
  'Adds CVE-2024-3094 to .trivyignore',
  'No security fixes in this release',
  'Adds a securityContext to every pod; security policies are documented',
  'Upgrade critical dependencies',
  'docs: how to report a security issue',
]

describe('toSecurity', () => {
  test.each(fixes)('reads a fix from %j', (release_notes, expected) => {
    expect(toSecurity({ release_notes })).toMatchObject({ has_security_fix: true, ...expected })
  })

  test.each(others)('reads no fix from %j', (release_notes) => {
    expect(toSecurity({ release_notes })).toEqual({
      has_security_fix: false,
      cve_list: null,
      security_severity: 'none',
      security_summary: null,
      cve_links: null,
    })
  })

  test('leaves what the publisher says', () => {
    const told = {
      has_security_fix: true,
      cve_list: ['CVE-2026-1000'],
      security_severity: 'low',
      security_summary: null,
      cve_links: ['https://cve.example/1'],
    } as const
    expect(toSecurity({ ...told, release_notes: 'CVE-2024-3094, severity: critical' })).toEqual(told)
    expect(toSecurity({ has_security_fix: false, release_notes: 'CVE-2024-3094' })).toMatchObject({
      has_security_fix: false,
      cve_list: null,
    })
  })

  test('a summary has one line of at most three hundred characters', () => {
    const { security_summary } = toSecurity({ release_notes: `CVE-2024-3094 ${'x'.repeat(400)}\nmore` })
    expect(security_summary).toHaveLength(300)
    expect(security_summary).toMatch(/^CVE-2024-3094 x+…$/)
  })

  test('a release is a fix exactly when it has a summary, whatever its notes', async () => {
    const words = fc.constantFrom(
      'fix',
      'CVE-2024-3094',
      'not affected by',
      '<li>',
      '\n',
      'security',
      '&lt;',
      '](',
      'x',
    )
    await fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 20 }), (parts) => {
        const { has_security_fix, security_summary } = toSecurity({ release_notes: parts.join(' ') })
        if (!has_security_fix) expect(security_summary).toBeNull()
      }),
    )
  })
})
