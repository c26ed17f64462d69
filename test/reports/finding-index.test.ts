import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordLength } from '../../src/reports/finding-records.ts'
import type { Item } from '../../src/reports/item.ts'
import { type CheckWithItems, findingsIn, indexOf, scan, toChecks } from './scan.ts'

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const

function check(id: string, items: unknown[], more: Partial<CheckWithItems> = {}): CheckWithItems {
  return {
    id,
    name: `Name of ${id}`,
    category: 'Security',
    severity: 'medium',
    resourceKind: '',
    failed: true,
    total: Math.max(items.length, 1),
    notRun: undefined,
    items,
    suppressed: [],
    ...more,
  }
}

describe('FindingIndexer', () => {
  test('keeps 100,000 findings sorted, each once, and every one can be read', async () => {
    const checks = Array.from({ length: 50 }, (_, c) =>
      check(
        `SEC${c}`,
        Array.from({ length: 2000 }, (_, i) => ({
          Namespace: i % 8 === 0 ? '-' : `team-${i % 7}`,
          Resource: `deployment/app-${i}`,
          Message: `Container app-${i} of ${'größe 😀 '.repeat(i % 4)}check-${c} runs as root`,
          ...(i % 3 > 0 && { Value: `user-${i}` }),
        })),
        { severity: severities[c % 5]! },
      ),
    )
    const index = await indexOf(checks)
    expect(index.records).toHaveLength(100_000 * recordLength)
    expect(index.details.length).toBeGreaterThan(4)
    for (const block of index.details) expect(zstdDecompressSync(block).length).toBeLessThan(2 ** 21)

    const findings = await findingsIn(index)
    const fingerprints = findings.map((finding) => finding.fingerprint)
    expect(fingerprints).toEqual([...new Set(fingerprints)].sort())

    const wrong = findings.filter(({ check_id, namespace, resource, severity, message, value }) => {
      const c = Number(check_id.slice(3))
      const i = Number(resource!.slice('deployment/app-'.length))
      const expected = {
        namespace: i % 8 === 0 ? null : `team-${i % 7}`,
        message: `Container app-${i} of ${'größe 😀 '.repeat(i % 4)}check-${c} runs as root`,
        value: i % 3 > 0 ? `user-${i}` : null,
        severity: severities[c % 5],
      }
      return JSON.stringify({ namespace, message, value, severity }) !== JSON.stringify(expected)
    })
    expect(wrong).toEqual([])
    expect(new Set(findings.map(({ check_id, resource }) => `${check_id} ${resource}`)).size).toBe(100_000)
  })

  test.each([[['info', 'critical']], [['critical', 'info']], [['low', 'critical', 'medium']]] as const)(
    'keeps the worst of equal findings: %j',
    async (words) => {
      const checks = words.map((severity) =>
        check('SEC001', [{ Resource: 'pod/web-0', Message: 'restarted 5 times' }], { severity }),
      )
      expect(await findingsIn(await indexOf(checks))).toMatchObject([{ severity: 'critical' }])
    },
  )

  test('makes pods of one workload one finding and shows the first of them', async () => {
    const rows = ['web-65cc8855c-ghk9m', 'web-65cc8855c-rzcxj', 'web-65cc8855c-f5hp5']
    const index = await indexOf(toChecks(scan(rows.map((pod) => ({ resource: `pod/${pod}` })))))
    expect(await findingsIn(index)).toMatchObject([{ resource: 'pod/web-65cc8855c-ghk9m', namespace: 'default' }])
  })

  test('makes a failed check without rows one finding about itself', async () => {
    expect(await findingsIn(await indexOf([check('SEC001', [], { total: 7 })]))).toEqual([
      {
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
        check_id: 'SEC001',
        check_name: 'Name of SEC001',
        category: 'Security',
        severity: 'medium',
        namespace: null,
        resource: null,
        message: 'Name of SEC001',
        value: null,
        count: 7,
      },
    ])
  })

  test('knows checks that have passed, and no findings of them', async () => {
    const index = await indexOf([check('SEC001', [{ Message: 'context' }], { failed: false, total: 0 })])
    expect(index).toMatchObject({ checks: [{ id: 'SEC001' }], details: [], namespaces: [] })
    expect(index.records).toHaveLength(0)
    expect((await indexOf([])).records).toHaveLength(0)
  })

  test('shows every row, in the order of the report', async () => {
    const seen: Item[] = []
    const rows = [{ Message: 'b' }, { Message: 'a' }, { Message: 'b' }]
    await indexOf([check('SEC002', rows), check('SEC001', [])], (item) => seen.push(item))
    expect(seen.map((item) => item.message)).toEqual(['b', 'a', 'b'])
  })

  const wide = '\u20ac'.repeat(5000)
  test.each<[string, CheckWithItems]>([
    ['a row', check('SEC001', [{ Resource: wide, Message: wide, Value: wide }])],
    ['a pod', check('SEC001', [{ Resource: wide, Message: wide, Value: wide }], { resourceKind: 'Pod' })],
    ['a service account', check('SEC001', [{ ServiceAccount: wide, Message: wide, Value: wide }])],
    ['a namespace', check('SEC001', [{ Namespace: wide, Message: wide, Value: wide }], { resourceKind: 'Namespace' })],
    ['the name of a check', check('SEC001', [], { name: wide })],
    ['the endless name of a check', check('SEC001', [], { name: 'n'.repeat(70_000) })],
    [
      'the endless name of a check with rows that say nothing',
      check('SEC001', [{ Count: 1 }], { name: 'n'.repeat(70_000) }),
    ],
  ])('takes texts of any length: %s', async (_, long) => {
    // So many that some of them stand at the end of a block.
    const checks = Array.from({ length: 300 }, (_, i) => ({ ...long, id: `SEC${i}` }))
    const findings = await findingsIn(await indexOf(checks))
    const texts = new Set(findings.map(({ resource, message, value }) => JSON.stringify([resource, message, value])))
    expect(findings).toHaveLength(300)
    expect([...texts].map((text) => text.length)).toEqual([expect.any(Number)])
  })

  test('gives back every text as it came', async () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\n', '\0', ',', ':', '"', '9', '\ud83d', '\ude00'), fc.string()),
    })
    const row = fc.record({ Resource: text, Message: text, Value: text })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: (item) => JSON.stringify(item), maxLength: 20 }),
        async (rows) => {
          const came: Item[] = []
          const checks = rows.map((item, i) => check(`SEC${i}`, [item]))
          const findings = await findingsIn(await indexOf(checks, (item) => came.push(item)))
          // Half of a pair of surrogates is no text: UTF-8 has none.
          const wellFormed = (text: string | null) => text?.toWellFormed() ?? null
          expect(new Map(findings.map((f) => [f.check_id, [f.resource, f.message, f.value].map(wellFormed)]))).toEqual(
            new Map(came.map((i, n) => [`SEC${n}`, [i.resource, i.message, i.value].map(wellFormed)])),
          )
        },
      ),
      { numRuns: 300 },
    )
  })
})
