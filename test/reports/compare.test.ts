import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/contract/scan-finding.ts'
import { compareRuns, type Difference } from '../../src/reports/compare.ts'
import { findingsIn, indexOf, type Row, type ScanOptions, scan, toChecks, toRun } from './scan.ts'

type Scan = [rows: Row[], options?: ScanOptions]

async function compare(from: Scan, to: Scan, seen: Scan = [[]]): Promise<Difference> {
  const old = new Set((await findingsIn(await indexOf(toChecks(scan(...seen))))).map((finding) => finding.fingerprint))
  return compareRuns(await toRun(scan(...from)), await toRun(scan(...to)), async (fingerprints) => {
    const positions = Array.from({ length: fingerprints.length / 16 }, (_, i) => i)
    return new Set(positions.filter((i) => old.has(fingerprints.toString('hex', i * 16, i * 16 + 16))))
  })
}

const named = (findings: Finding[]) => findings.map((finding) => finding.resource).sort()

const summary = (difference: Difference) => ({
  new: named(difference.new),
  resolved: named(difference.resolved),
  regressed: named(difference.regressed),
  unchanged: difference.unchangedCount,
  incomparable: difference.incomparableCount,
})

const nothing = { new: [], resolved: [], regressed: [], unchanged: 0, incomparable: 0 }
const noChange = { namespaces_excluded: [], namespaces_included: [], checks_removed: [], checks_added: [] }
const web: Row = { resource: 'deployment/web' }
const api: Row = { resource: 'deployment/api' }

describe('compareRuns', () => {
  test.each<[string, Scan, Scan, Scan, Partial<ReturnType<typeof summary>>]>([
    ['two empty runs', [[]], [[]], [[]], {}],
    ['the same run', [[web, api]], [[api, web]], [[]], { unchanged: 2 }],
    [
      'a rollout',
      [[{ resource: 'pod/web-65cc8855c-ghk9m', message: 'restarted 5 times' }]],
      [[{ resource: 'pod/web-577s4nmqxh-6r6xt', message: 'restarted 9 times' }]],
      [[]],
      { unchanged: 1 },
    ],
    ['a finding that came', [[web]], [[web, api]], [[web]], { new: ['deployment/api'], unchanged: 1 }],
    ['a finding that went', [[web, api]], [[web]], [[web, api]], { resolved: ['deployment/api'], unchanged: 1 }],
    ['a finding that came back', [[web]], [[web, api]], [[api]], { regressed: ['deployment/api'], unchanged: 1 }],
    ['a first finding', [[], { passed: ['SEC001'] }], [[web]], [[]], { new: ['deployment/web'] }],
    [
      'a finding that got worse',
      [[web]],
      [[{ ...web, severity: 'critical' }]],
      [[]],
      { regressed: ['deployment/web'], unchanged: 0 },
    ],
    ['a finding that got better', [[web]], [[{ ...web, severity: 'info' }]], [[]], { unchanged: 1 }],
    ['words of two generations', [[web]], [[{ ...web, severity: 'Medium' }]], [[]], { unchanged: 1 }],
    [
      'a namespace that is excluded now',
      [[web, { ...api, namespace: 'shop' }]],
      [[web], { excludedNamespaces: ['shop'] }],
      [[]],
      { unchanged: 1, incomparable: 1 },
    ],
    [
      'a namespace that was excluded before',
      [[web], { excludedNamespaces: ['shop'] }],
      [[web, { ...api, namespace: 'shop' }]],
      [[]],
      { unchanged: 1, incomparable: 1 },
    ],
    [
      'a namespace that was excluded before and had the finding before that',
      [[web], { excludedNamespaces: ['shop'] }],
      [[web, { ...api, namespace: 'shop' }]],
      [[{ ...api, namespace: 'shop' }]],
      { unchanged: 1, incomparable: 1 },
    ],
    ['a check that is gone', [[web, { ...api, check: 'SEC002' }]], [[web]], [[]], { unchanged: 1, incomparable: 1 }],
    [
      'a check that was not there',
      [[web]],
      [[web, { ...api, check: 'SEC002' }]],
      [[]],
      { unchanged: 1, incomparable: 1 },
    ],
    [
      'a check that has passed',
      [[web, { ...api, check: 'SEC002' }]],
      [[web], { passed: ['SEC002'] }],
      [[]],
      { resolved: ['deployment/api'], unchanged: 1 },
    ],
    [
      'findings of the cluster while namespaces are excluded',
      [[{ ...web, namespace: '-' }]],
      [[{ ...api, namespace: '(cluster)' }], { excludedNamespaces: ['default', '-'] }],
      [[]],
      { new: ['deployment/api'], resolved: ['deployment/web'] },
    ],
  ])('tells what changed: %s', async (_, from, to, seen, expected) => {
    expect(summary(await compare(from, to, seen))).toEqual({ ...nothing, ...expected })
  })

  test('tells how severe a finding was that got worse, and of one that came back nothing', async () => {
    const { regressed } = await compare(
      [[web], { passed: ['SEC002'] }],
      [
        [
          { ...web, severity: 'critical' },
          { ...api, check: 'SEC002' },
        ],
      ],
      [[{ ...api, check: 'SEC002' }]],
    )
    expect(regressed).toEqual([
      expect.not.objectContaining({ previous_severity: expect.anything() }),
      expect.objectContaining({ resource: 'deployment/web', severity: 'critical', previous_severity: 'medium' }),
    ])
  })

  test('shows a finding as the run has it', async () => {
    const row = {
      check: 'SEC002',
      namespace: 'shop',
      resource: 'pod/web-65cc8855c-ghk9m',
      message: 'is\nwrong',
      value: 'a,b',
    }
    expect((await compare([[], { passed: ['SEC002'] }], [[row]])).new).toEqual([
      {
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
        check_id: 'SEC002',
        check_name: 'Name of SEC002',
        category: '',
        severity: 'medium',
        namespace: 'shop',
        resource: 'pod/web-65cc8855c-ghk9m',
        message: 'is\nwrong',
        value: 'a,b',
        count: 1,
      },
    ])
  })

  test.each<[string, Scan, Scan, object]>([
    ['nothing', [[web], { excludedNamespaces: ['a'] }], [[api], { excludedNamespaces: ['a'] }], {}],
    [
      'namespaces',
      [[web], { excludedNamespaces: ['c', 'b', 'a'] }],
      [[web], { excludedNamespaces: ['e', 'd', 'a'] }],
      { namespaces_excluded: ['d', 'e'], namespaces_included: ['b', 'c'] },
    ],
    [
      'checks',
      [[web], { passed: ['NET002', 'NET001'] }],
      [[web], { passed: ['POD002', 'POD001'] }],
      { checks_removed: ['NET001', 'NET002'], checks_added: ['POD001', 'POD002'] },
    ],
  ])('tells what changed in the scope: %s', async (_, from, to, expected) => {
    expect((await compare(from, to)).scopeChanges).toEqual({ ...noChange, ...expected })
  })

  test('opens no details of findings that stayed, and asks once which were seen', async () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => ({
      resource: `deployment/app-${i}`,
      message: `app-${i} is wrong`,
    }))
    const [fromOpened, toOpened]: number[][] = [[], []]
    const asked: number[] = []
    const seen = async (fingerprints: Buffer) => {
      asked.push(fingerprints.length / 16)
      return new Set<number>()
    }
    const from = await toRun(scan(rows), fromOpened)
    await compareRuns(from, await toRun(scan(rows), toOpened), seen)
    expect([fromOpened, toOpened, asked]).toEqual([[], [], [0]])

    const { new: came } = await compareRuns(from, await toRun(scan([...rows.slice(1), { ...web }]), toOpened), seen)
    expect(named(came)).toEqual(['deployment/web'])
    expect([fromOpened, toOpened, asked]).toEqual([[0], [expect.any(Number)], [0, 1]])
    expect(toOpened![0]).toBeGreaterThan(0)
  })

  const severity = fc.constantFrom('critical', 'high', 'warning', 'low', 'info')
  const checkIds = ['C1', 'C2', 'C3', 'C4']
  const namespaces = ['n1', 'n2', 'n3']
  const keys = checkIds.flatMap((check) =>
    [...namespaces, '-'].flatMap((namespace) =>
      ['a', 'b', 'c'].map((name) => ({ check, namespace, resource: `kind/${name}` })),
    ),
  )
  const run = fc.record({
    keys: fc.subarray(keys),
    severities: fc.tuple(severity, severity, severity, severity),
    excludedNamespaces: fc.subarray(namespaces),
    passed: fc.subarray(checkIds),
  })

  test('agrees with the algebra of sets', async () => {
    const ranks = ['critical', 'high', 'warning', 'low', 'info']
    const toName = (row: Row) => `${row.check} ${row.namespace} ${row.resource}`
    const nameOfFinding = (f: Finding) => `${f.check_id} ${f.namespace ?? '-'} ${f.resource}`

    await fc.assert(
      fc.asyncProperty(run, run, fc.subarray(keys), async (from, to, seen) => {
        const scanOf = ({ keys, severities, excludedNamespaces, passed }: typeof from): Scan => [
          keys.map((key) => ({ ...key, severity: severities[checkIds.indexOf(key.check)]! })),
          { excludedNamespaces, passed },
        ]
        const names = (of: { keys: Row[] }) => new Set(of.keys.map(toName))
        const comparable = (other: typeof from) => (row: Row) =>
          (other.passed.includes(row.check!) || other.keys.some((key) => key.check === row.check)) &&
          !other.excludedNamespaces.includes(row.namespace!)
        const isWorse = ({ check }: Row) => {
          const rank = (of: typeof from) => ranks.indexOf(of.severities[checkIds.indexOf(check!)]!)
          return rank(to) < rank(from)
        }
        const came = to.keys.filter((key) => !names(from).has(toName(key)))
        const gone = from.keys.filter((key) => !names(to).has(toName(key)))
        const both = to.keys.filter((key) => names(from).has(toName(key)))
        const known = names({ keys: seen })
        const sorted = (rows: Row[]) => rows.map(toName).sort()

        const difference = await compare(scanOf(from), scanOf(to), [seen])
        const told = (findings: Finding[]) => findings.map(nameOfFinding).sort()
        expect({
          new: told(difference.new),
          resolved: told(difference.resolved),
          regressed: told(difference.regressed),
          unchanged: difference.unchangedCount,
          incomparable: difference.incomparableCount,
        }).toEqual({
          new: sorted(came.filter(comparable(from)).filter((key) => !known.has(toName(key)))),
          resolved: sorted(gone.filter(comparable(to))),
          regressed: sorted([
            ...came.filter(comparable(from)).filter((key) => known.has(toName(key))),
            ...both.filter(isWorse),
          ]),
          unchanged: both.filter((key) => !isWorse(key)).length,
          incomparable:
            came.filter((key) => !comparable(from)(key)).length + gone.filter((key) => !comparable(to)(key)).length,
        })
      }),
      { numRuns: 300 },
    )
  })
})
