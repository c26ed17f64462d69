import { expect, test } from 'vitest'
import { type AdvisorySource, mergeAdvisories, type SourcedAdvisory } from '../../src/security/catalog-advisory.ts'

const gatheredAt = 1_780_000_000

function told(source: AdvisorySource, database: string, fixed: string, isNewer = false): SourcedAdvisory {
  return {
    ...{
      source,
      id: 'CVE-2024-23897',
      aliases: [],
      severity: 'critical',
      score: 9.8,
      summary: '',
      databases: [database],
    },
    ...{ published_at: null, is_record_date: true, withdrawn_at: null },
    modified_at: gatheredAt + (isNewer ? 86_400 : -86_400),
    affected: [{ introduced: '0', fixed, last_affected: null }],
  }
}

const from = (introduced: string) => ({ introduced, fixed: null, last_affected: null })
const bitnami = told('osv', 'bitnami/vulndb', '2.443', true)
const go = told('osv', 'golang/vulndb', '2.442', true)
const bundled = told('bundled', 'github/advisory-database', '2.441')
const github = told('github', 'GitHub', '2.440')
const unreadable = {
  ...github,
  affected: [{ introduced: '0', fixed: null, last_affected: '"before the fix"' }],
}

test.each<[told: string, sources: SourcedAdvisory[], fixed: string | null]>([
  ['a repackager that changed it later', [bundled, bitnami], '2.441'],
  [
    'a repackager alone with the bundled facts of a repackager',
    [{ ...bundled, databases: ['bitnami/vulndb'] }, bitnami],
    '2.443',
  ],
  ['another database that changed it later', [bundled, go], '2.442'],
  ['another database before the facts were gathered', [bundled, { ...go, modified_at: gatheredAt - 1 }], '2.441'],
  ['the project itself, whatever came later', [bundled, github, go], '2.440'],
  ['the project itself in words', [bundled, unreadable], '2.441'],
  [
    'the build of a version that has the fix',
    [told('bundled', 'cvelistV5', '2.441+security-01'), go],
    '2.441+security-01',
  ],
  [
    'the build that became known later',
    [bundled, told('osv', 'golang/vulndb', '2.441+security-01')],
    '2.441+security-01',
  ],
  ['an end, whatever came later without one', [bundled, { ...go, affected: [from('2.0')] }], '2.441'],
  ['the end that became known later', [{ ...bundled, affected: [from('2.0')] }, go], '2.442'],
  [
    'any range before all versions',
    [
      { ...bundled, databases: ['bitnami/vulndb'] },
      { ...go, affected: [from('0')] },
    ],
    '2.441',
  ],
])('of sources that disagree, decides: %s', (_, sources, fixed) => {
  for (const all of [sources, sources.toReversed()]) {
    const [merged, ...others] = mergeAdvisories(all, gatheredAt)
    expect(others).toEqual([])
    expect(merged!.affected.map((range) => range.fixed)).toEqual([fixed])
  }
})
