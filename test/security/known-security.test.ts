import { describe, expect, test } from 'vitest'
import type { Severity } from '../../src/contract/shape.ts'
import { compileTagPattern } from '../../src/freshness/tag-pattern.ts'
import type { Advisory } from '../../src/security/advisory.ts'
import { createSecurityLookup, type NamedRelease } from '../../src/security/known-security.ts'

const published = (id: string, fixedIn: string[], severity: Severity = 'high') => ({
  id,
  aliases: [],
  severity,
  summary: `About ${id}`,
  url: `https://x.example/${id}`,
  fixedIn,
})

function tell(
  release: Partial<NamedRelease>,
  known: { published?: ReturnType<typeof published>[]; answers?: Advisory[]; pattern?: string } = {},
) {
  const teller = createSecurityLookup({
    published: known.published ?? [],
    answers: new Map((known.answers ?? []).map((advisory) => [advisory.id, advisory])),
    tagPattern: compileTagPattern(known.pattern ?? null),
  })
  return teller({ version: 'v1.2.0', chartName: '', ids: [], ...release })
}

describe('a release that an advisory of its project names', () => {
  test.each([
    ['v1.2.3', '1.2.3', null],
    ['1.2.3', 'v1.2.3', null],
    ['v1.2.0', '1.2', null],
    ['controller-v1.2.3', '1.2.3', 'controller-v(.*)'],
    ['controller-v1.2.3', 'controller-v1.2.3', 'controller-v(.*)'],
    ['v1.2.3+k3s1', 'v1.2.3+k3s1', null],
    ['v1.2.3-rc.1', '1.2.3-rc1', null],
  ])('%s, as %s, is its fix', (version, fixed, pattern) => {
    const advisories = [published('GHSA-a', [fixed])]
    expect(tell({ version }, { published: advisories, ...(pattern && { pattern }) })).toEqual({
      hasFix: true,
      ids: ['GHSA-a'],
      severity: 'high',
      summary: 'About GHSA-a',
      links: ['https://x.example/GHSA-a'],
    })
  })

  test.each([
    ['v1.2.4', '1.2.3'],
    ['v1.2.3-rc.1', '1.2.3'],
    ['v1.2.3+k3s1', '1.2.3'],
    ['v1.2.30', '1.2.3'],
    ['v10', '1'],
    ['latest', 'latest'],
  ])('%s is not that of %s', (version, fixed) => {
    expect(tell({ version }, { published: [published('GHSA-a', [fixed])] })).toBeUndefined()
  })

  test('is none of a chart', () => {
    const advisories = [published('GHSA-a', ['1.2.3'])]
    expect(tell({ version: '1.2.3', chartName: 'x' }, { published: advisories })).toBeUndefined()
  })

  test('has what the worst of its advisories says', () => {
    const advisories = [published('GHSA-a', ['1.2.0'], 'low'), published('GHSA-b', ['1.2.0'], 'critical')]
    expect(tell({}, { published: advisories })).toMatchObject({
      ids: ['GHSA-a', 'GHSA-b'],
      severity: 'critical',
      summary: 'About GHSA-b',
    })
  })
})

test('a release that names an advisory has its other ids, and what is said of it', () => {
  const advisory = { id: 'CVE-1', aliases: ['GHSA-a'], severity: 'low', summary: 'Bad' } as const
  const answers = [{ ...advisory, aliases: ['GHSA-a'] }]
  expect(tell({ ids: ['CVE-1', 'CVE-2'], chartName: 'x' }, { answers })).toEqual({
    hasFix: true,
    ids: ['CVE-1', 'GHSA-a'],
    severity: 'low',
    summary: 'Bad',
    links: [],
  })
  expect(tell({ ids: ['CVE-2'] }, { answers })).toBeUndefined()
})
