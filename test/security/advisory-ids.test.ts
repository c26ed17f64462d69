import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advisoryIds, advisoryLink, isAdvisoryId } from '../../src/security/advisory-ids.ts'

describe('advisoryIds', () => {
  test.each<[string, string[]]>([
    ['fix: CVE-2024-45337 and CVE-2024-45338 in golang.org/x/crypto', ['CVE-2024-45337', 'CVE-2024-45338']],
    ['- [CVE-2023-44487](https://nvd.nist.gov/vuln/detail/CVE-2023-44487) HTTP/2 rapid reset', ['CVE-2023-44487']],
    [
      '<li><a href="https://github.com/advisories/GHSA-qppj-fm5r-hxr3">GHSA-qppj-fm5r-hxr3</a></li>',
      ['GHSA-qppj-fm5r-hxr3'],
    ],
    ['Fixes ghsa-QPPJ-FM5R-HXR3', ['GHSA-qppj-fm5r-hxr3']],
    ['cve-2021-44228: remove JNDI lookups', ['CVE-2021-44228']],
    ['CVE‑2024‑3094 and CVE–2024–3095', ['CVE-2024-3094', 'CVE-2024-3095']],
    ['(CVE-2020-8558)', ['CVE-2020-8558']],
    ['CVE-2022-1234567', ['CVE-2022-1234567']],
    ['branch fix-cve-2024-9042-backport', ['CVE-2024-9042']],
    ['#2215_CVE-2024-9042_', ['CVE-2024-9042']],
    ['CVE-1999-0001 is old', ['CVE-1999-0001']],
    ['https://osv.dev/vulnerability/GHSA-4374-p667-p6c8?x=1', ['GHSA-4374-p667-p6c8']],
    ['Security: CVE-2024-1086,CVE-2024-1087;CVE-2024-1086', ['CVE-2024-1086', 'CVE-2024-1087']],
  ])('finds those of %j', (notes, ids) => {
    expect(advisoryIds(notes)).toEqual(ids)
  })

  test.each([
    '',
    'CVE-YYYY-NNNN',
    'CVE-2024-XXXXX',
    'CVE-2024-123',
    'CVE-2024-12345678',
    'CVE-2024-0000',
    'CVE-1998-1234',
    'CVE-3024-1234',
    'CVE-24-1234',
    'CVE 2024 is a bad year',
    'RECVE-2024-1234',
    'GHSA-aaaa-bbbb-cccc',
    'GHSA-qppj-fm5r',
    'GHSA-qppj-fm5r-hxr3a',
    'MYGHSA-qppj-fm5r-hxr3',
    'GHSA-xxxx-xxxx',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'GO-2024-3321, RHSA-2024:1234, DSA-5678-1',
    'the CVE scanner was updated to 2024-1234',
  ])('finds none in %j', (notes) => {
    expect(advisoryIds(notes)).toEqual([])
  })

  test('stops at two hundred of them', () => {
    const notes = Array.from({ length: 500 }, (_, number) => `CVE-2024-${10_000 + number}`).join(' ')
    expect(advisoryIds(notes)).toHaveLength(200)
  })

  test('finds the id of any year and number, whatever stands around it', async () => {
    const id = fc.tuple(fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1001, max: 9_999_999 }))
    const around = fc.stringMatching(/^[ ,.;:()[\]"'<>/#*|\n-]{0,5}$/)
    await fc.assert(
      fc.property(id, around, around, ([year, number], before, after) => {
        expect(advisoryIds(`${before}CVE-${year}-${number}${after}`)).toEqual(
          String(number).endsWith('0000') && `${number}`.length === 4 ? [] : [`CVE-${year}-${number}`],
        )
      }),
    )
  })

  test('what it finds in any text is found again, and is an id by itself', async () => {
    await fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        for (const id of advisoryIds(text)) expect(isAdvisoryId(id)).toBe(true)
      }),
    )
  })
})

test.each([
  ['CVE-2024-3094', true],
  [' cve-2024-3094 ', true],
  ['GHSA-qppj-fm5r-hxr3', true],
  ['see CVE-2024-3094', false],
  ['argo-cd', false],
])('isAdvisoryId(%j) is %j', (text, is) => {
  expect(isAdvisoryId(text)).toBe(is)
})

test('links lead to who keeps the advisory', () => {
  expect(advisoryLink('CVE-2024-3094')).toBe('https://nvd.nist.gov/vuln/detail/CVE-2024-3094')
  expect(advisoryLink('GHSA-qppj-fm5r-hxr3')).toBe('https://github.com/advisories/GHSA-qppj-fm5r-hxr3')
})
