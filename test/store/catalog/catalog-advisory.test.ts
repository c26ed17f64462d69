import { expect, test } from 'vitest'
import type { BundledAdvisory } from '../../../src/catalog/bundled.ts'
import type { CatalogAdvisory } from '../../../src/security/catalog-advisory.ts'
import { listCatalogAdvisories, saveAdvisoriesFor } from '../../../src/store/catalog/catalog-advisory.ts'
import { project, storeWith, toId } from '../bundled.ts'

const at = (day: string) => Date.parse(day) / 1000

const bundled: BundledAdvisory[] = [
  [
    'CVE-2026-1',
    ['GHSA-aaaa', 'GO-2026-9'],
    'high',
    7.5,
    '2026-01-02',
    0,
    [
      ['0', '1.2.3'],
      ['2.0.0', null, '2.1.0'],
    ],
    ['golang/vulndb'],
  ],
  ['CVE-2026-2', ['GO-2026-9'], null, null, '2026-01-03', 1, [['1.0.0']], ['golang/vulndb']],
]

const openStore = () => storeWith([project('shop', { advisories: { as_of: '2026-08-05', advisories: bundled } })])

function advisory(id: string, more: Partial<CatalogAdvisory>): CatalogAdvisory {
  return {
    id,
    aliases: [],
    severity: null,
    score: null,
    published_at: at('2026-09-01'),
    is_record_date: true,
    modified_at: at('2026-09-01'),
    withdrawn_at: null,
    summary: '',
    databases: ['Go'],
    affected: [],
    ...more,
  }
}

test('lists the affected ranges of bundled advisories', async () => {
  const db = await openStore()
  const id = await toId(db, 'shop')
  const advisories = (await listCatalogAdvisories(db, [id])).get(id)!
  expect(advisories.flatMap((each) => each.affected.map((range) => [each.id, range]))).toEqual([
    ['CVE-2026-1', { introduced: '0', fixed: '1.2.3', last_affected: null }],
    ['CVE-2026-1', { introduced: '2.0.0', fixed: null, last_affected: '2.1.0' }],
    ['CVE-2026-2', { introduced: '1.0.0', fixed: null, last_affected: null }],
  ])
  expect(advisories[0]).toMatchObject({
    aliases: ['GHSA-aaaa', 'GO-2026-9'],
    severity: 'high',
    score: 7.5,
    published_at: at('2026-01-02'),
    is_record_date: false,
    withdrawn_at: null,
    databases: ['golang/vulndb'],
  })
  expect(await listCatalogAdvisories(db, [id + 1])).toEqual(new Map())
})

test('makes one advisory of the reports of several sources', async () => {
  const db = await openStore()
  const id = await toId(db, 'shop')
  const range = (fixed: string) => [{ introduced: '0', fixed, last_affected: null }]
  await saveAdvisoriesFor(db, id, 'osv', [
    // Older than the bundled facts, which are merged from more databases: only the summary is new.
    advisory('GHSA-aaaa', { modified_at: at('2026-02-01'), affected: range('9.9.9'), summary: 'A hole' }),
    // Names the same record as another CVE.
    advisory('CVE-2026-2', { aliases: ['GO-2026-9'], severity: 'low', affected: range('3.0.0') }),
    advisory('CVE-2026-3', { withdrawn_at: at('2026-09-02'), affected: range('4.0.0') }),
  ])
  const merged = (await listCatalogAdvisories(db, [id])).get(id)!
  expect(merged.map(({ id, severity, summary, withdrawn_at }) => ({ id, severity, summary, withdrawn_at }))).toEqual([
    { id: 'CVE-2026-1', severity: 'high', summary: 'A hole', withdrawn_at: null },
    { id: 'CVE-2026-2', severity: 'low', summary: '', withdrawn_at: null },
    { id: 'CVE-2026-3', severity: null, summary: '', withdrawn_at: at('2026-09-02') },
  ])
  expect(merged.map(({ affected }) => affected[0]!.fixed)).toEqual(['1.2.3', '3.0.0', '4.0.0'])
  expect(merged[1]).toMatchObject({ published_at: at('2026-09-01'), databases: ['Go', 'golang/vulndb'] })

  const rated = { affected: range('1.2.4'), severity: 'critical' as const }
  await saveAdvisoriesFor(db, id, 'github', [advisory('CVE-2026-1', { ...rated, score: 9.1 })])
  const [own] = (await listCatalogAdvisories(db, [id])).get(id)!
  expect(own).toMatchObject({ severity: 'critical', score: 9.1, summary: 'A hole', affected: range('1.2.4') })

  // A word without a score does not replace the score of another source.
  await saveAdvisoriesFor(db, id, 'github', [advisory('CVE-2026-1', rated)])
  const [said] = (await listCatalogAdvisories(db, [id])).get(id)!
  expect(said).toMatchObject({ severity: 'high', score: 7.5, affected: range('1.2.4') })
})

test('takes the CVE as the id of an advisory that was known by its GHSA id', async () => {
  const db = await openStore()
  const id = await toId(db, 'shop')
  await saveAdvisoriesFor(db, id, 'osv', [advisory('GHSA-bbbb', {})])
  await saveAdvisoriesFor(db, id, 'github', [advisory('CVE-2026-7', { aliases: ['GHSA-bbbb'] })])
  const merged = (await listCatalogAdvisories(db, [id])).get(id)!
  expect(merged.map(({ id, aliases }) => [id, aliases]).at(-1)).toEqual(['CVE-2026-7', ['GHSA-bbbb']])
  expect(merged).toHaveLength(3)
})

test('replaces the earlier report of a source', async () => {
  const db = await openStore()
  const id = await toId(db, 'shop')
  await saveAdvisoriesFor(db, id, 'osv', [
    advisory('CVE-2026-5', { affected: [{ introduced: '0', fixed: null, last_affected: null }] }),
  ])
  await saveAdvisoriesFor(db, id, 'osv', [advisory('CVE-2026-6', {})])
  const advisories = (await listCatalogAdvisories(db, [id])).get(id)!
  expect(advisories.map((one) => one.id)).toEqual(['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-6'])
  expect(advisories.flatMap(({ affected }) => affected)).toHaveLength(3)
})
