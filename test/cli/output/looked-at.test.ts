import { describe, expect, test } from 'vitest'
import {
  catalogRemark,
  caveat,
  environmentRemarks,
  note,
  renderRemarks,
  runRemarks,
  securityRemarks,
  warning,
} from '../../../src/cli/output/remarks.ts'
import { createColor } from '../../../src/render/terminal/color.ts'

const now = Date.UTC(2026, 8, 1, 12) / 1000

describe('the catalog', () => {
  test.each(['2026-09-01', '2026-06-03', '2099-01-01'])('of %s is named', (day) => {
    expect(catalogRemark(day, now)).toEqual(note(`Facts of ${day}.`))
  })

  test('is called old after 90 days', () => {
    expect(catalogRemark('2026-06-02', now)).toEqual(caveat('Facts of 2026-06-02 (91 days): relt catalog sync.'))
  })

  test.each([undefined, null, '', 'yesterday'])('of %j is of unknown age', (day) => {
    expect(catalogRemark(day, now)).toEqual(caveat('The server does not say how old its catalog is.'))
  })
})

test.each([
  [{ projects: 0, known: 0 }, undefined],
  [{ projects: 3, known: 3 }, undefined],
  [{ projects: 1, known: 0 }, 'this project'],
  [{ projects: 3, known: 0 }, 'these 3 projects'],
  [{ projects: 3, known: 1 }, '2 of 3 projects'],
])('security facts %j', (facts, missing) => {
  const text = `No security facts about ${missing}.`
  expect(securityRemarks(facts)).toEqual(missing === undefined ? [] : [caveat(text)])
})

describe('runs', () => {
  const cluster = (cluster_name: string, seen_at: string) => ({ cluster_name, environment: 'prod', seen_at })

  test('of the last 30 days need no remark', () => {
    expect(runRemarks([cluster('a', '2026-08-02 13:00:00')], now)).toEqual([])
  })

  test('that are older are named, three at most', () => {
    expect(runRemarks([cluster('a', '2026-08-31 06:00:00'), cluster('b', '2026-07-20 06:00:00')], now)).toEqual([
      caveat('No run of b (prod) since 2026-07-20.'),
    ])
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => cluster(name, '2026-06-01 00:00:00'))
    expect(runRemarks(many, now)[0]!.text).toContain('c (prod) since 2026-06-01 and 2 more.')
  })
})

test('environments that were left out are named', () => {
  const cluster = { cluster_name: 'shop', environment: 'prod' }
  expect(environmentRemarks(cluster, undefined)).toEqual([])
  expect(environmentRemarks(cluster, [])).toEqual([])
  expect(environmentRemarks(cluster, ['dev', 'staging'])).toEqual([
    caveat('Only environment prod of shop; it also has dev, staging: -e NAME.'),
  ])
})

test('prints a line for each thing to do, then one for all else, without control characters', () => {
  const remarks = [note('a\u001b[31mb'), warning('c'), note('d'), caveat('e')]
  expect(renderRemarks({ color: createColor(false) }, remarks)).toBe('c\na [31mb d e\n')
  expect(renderRemarks({ color: createColor(false) }, [])).toBe('')
  expect(renderRemarks({ color: createColor(true) }, remarks)).toContain('\u001b[33mc')
})
