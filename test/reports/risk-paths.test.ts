import { describe, expect, test } from 'vitest'
import type { RiskPath } from '../../src/contract/risk-path.ts'
import { compareRiskPaths, type RunRiskPaths } from '../../src/reports/compare-risk-paths.ts'
import { readAksReadiness, readRiskPaths } from '../../src/reports/risk-paths.ts'

const direct = {
  id: 'RISK001',
  name: 'Isolation',
  boundary: 'Workload',
  status: 'triggered',
  confidence: 'high',
  fixPriority: 'urgent',
  exploitability: 'high',
  summary: 'A path.',
  signalChecks: ['SEC002', 'SEC004'],
  evidence: [
    {
      checkId: 'SEC002',
      checkName: 'Host',
      severity: 'High',
      findingCount: 21,
      sampleFindings: [{ Namespace: 'shop', Resource: 'pod/a', Value: 'true', Message: 'Host' }],
    },
  ],
}
const combined = {
  id: 'CHAIN001',
  name: 'Control',
  status: 'triggered',
  requires: ['RISK001'],
  triggeredDirectRiskPaths: ['RISK001'],
}

describe('risk paths', () => {
  test('are read with their evidence', () => {
    expect(readRiskPaths([direct], combined)).toMatchObject([
      {
        id: 'RISK001',
        kind: 'direct',
        is_open: true,
        fix_priority: 'urgent',
        signal_checks: ['SEC002', 'SEC004'],
        evidence: [
          { check_id: 'SEC002', severity: 'high', findings: 21, samples: [{ namespace: 'shop', value: 'true' }] },
        ],
      },
      { id: 'CHAIN001', kind: 'combined', requires: ['RISK001'], triggered_by: ['RISK001'], evidence: [] },
    ])
  })

  test('are unknown where the report does not list them', () => {
    expect(readRiskPaths(undefined, null)).toBeNull()
    expect(readRiskPaths([], undefined)).toEqual([])
  })

  test.each([
    ['triggered', true],
    ['Not Triggered', false],
    ['mitigated', false],
    ['a word of tomorrow', true],
    [undefined, true],
  ])('with the status %s are open: %s', (status, isOpen) =>
    expect(readRiskPaths([{ ...direct, status }], null)).toMatchObject([{ is_open: isOpen }]),
  )

  test.each([
    [5],
    ['x'],
    [[null, 5, 'x', {}, { id: 7 }]],
    [{ id: 'A', evidence: 'x', signalChecks: 5, requires: [{}] }],
  ])('of another shape do not fail: %j', (value) => expect(() => readRiskPaths(value, value)).not.toThrow())

  test('come with the readiness for AKS Automatic', () => {
    const item = {
      id: 'POD007',
      name: 'Tags',
      severity: 'High',
      total: 4,
      recommendation: 'Pin it.',
      url: 'https://k.example/',
      samples: ['pod/a'],
    }
    const summary = { status: 'not_ready', statusLabel: 'Not Ready', blockerCount: 1, warningCount: 0, skipped: false }
    expect(
      readAksReadiness({
        summary,
        blockers: [item],
        alignment: { items: [item] },
        actionPlan: [{ title: 'Fix', steps: ['a'] }],
      }),
    ).toMatchObject({
      label: 'Not Ready',
      blocker_count: 1,
      alignment_passed: null,
      blockers: [{ check_id: 'POD007', findings: 4, recommendation: 'Pin it.' }],
      alignment: [{ check_id: 'POD007' }],
      actions: [{ title: 'Fix', steps: ['a'] }],
    })
    expect(readAksReadiness(null)).toBeNull()
  })
})

describe('comparing risk paths', () => {
  const scope = { excludedNamespaces: [] as string[], checkIds: ['SEC002', 'SEC004', 'RBAC001'] }
  const toRun = (paths: RiskPath[] | null, more: Partial<RunRiskPaths> = {}): RunRiskPaths => ({
    format: 'kubebuddy',
    paths,
    scope,
    checksNotRun: [],
    ...more,
  })
  const paths = readRiskPaths([direct], [combined])!
  const ids = (list: { id: string }[]) => list.map(({ id }) => id)
  const notRun = { checksNotRun: [{ id: 'SEC004', name: 'x', reason: 'forbidden' }] }

  test('lists those that opened and closed', () => {
    expect(ids(compareRiskPaths(toRun([]), toRun(paths))!.opened)).toEqual(['RISK001', 'CHAIN001'])
    expect(ids(compareRiskPaths(toRun(paths), toRun([paths[0]!]))!.closed)).toEqual(['CHAIN001'])
    expect(compareRiskPaths(toRun(paths), toRun(paths))).toEqual({ opened: [], closed: [], incomparable: [] })
    expect(compareRiskPaths(toRun(null), toRun(null))).toBeNull()
  })

  test('counts a path whose status says closed as closed', () => {
    const mitigated = paths.map((path) => ({ ...path, status: 'mitigated', is_open: false }))
    expect(ids(compareRiskPaths(toRun(paths), toRun(mitigated))!.closed)).toEqual(['RISK001', 'CHAIN001'])
  })

  test.each<[string, RunRiskPaths]>([
    ['SEC004 did not run in the later scan: forbidden', toRun([], notRun)],
    ['The later scan does not contain SEC002', toRun([], { scope: { ...scope, checkIds: ['SEC004'] } })],
    ['The later scan leaves out namespaces: shop', toRun([], { scope: { ...scope, excludedNamespaces: ['shop'] } })],
    ['The later report does not list risk paths', toRun(null)],
    ['The later report is from another scanner', toRun([], { format: 'trivy' })],
  ])('calls none closed that could not be seen: %s', (reason, to) => {
    const { closed, incomparable } = compareRiskPaths(toRun(paths), to)!
    expect(closed).toEqual([])
    expect(incomparable.map((each) => [each.id, each.reason])).toEqual([
      ['RISK001', reason],
      ['CHAIN001', reason],
    ])
  })

  test('calls none new that could not be seen before', () => {
    const { opened, incomparable } = compareRiskPaths(toRun([], notRun), toRun(paths))!
    expect([opened, ids(incomparable)]).toEqual([[], ['RISK001', 'CHAIN001']])
  })
})
