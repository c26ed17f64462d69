import { describe, expect, test } from 'vitest'
import { compare, fixture, read, toFindings } from './fixture.ts'

describe('the older generation, with sanitizers', () => {
  const report = fixture('popeye-sanitizers')
  const rolledOut = report
    .replaceAll('65cc8855c-ghk9m', '5f7d9b6c4d-x8w2z')
    .replaceAll('65cc8855c-x2v7q', '5f7d9b6c4d-b6k9t')

  test('errors are high, warnings medium, information is info; what is fine is no finding', async () => {
    const scan = await read(report)
    expect(scan).toMatchObject({
      format: 'popeye',
      clusterName: 'shop-prod',
      generatedAt: undefined,
      failedChecks: 4,
      findings: { total: 5, critical: 0, high: 2, medium: 2, low: 0, info: 1 },
      score: { value: 84, source: 'scanner' },
    })
    expect(await toFindings(scan)).toEqual([
      'high POP-100 shop pod/web-65cc8855c-ghk9m | Untagged docker image in use | web',
      'info POP-1102 shop service/web | Use of target port #8080 for service port TCP::80. Prefer named port | -',
      'medium POP-106 shop pod/web-65cc8855c-ghk9m | No resources requests/limits defined | web',
      'medium POP-206 shop pod/web-65cc8855c-ghk9m | No PodDisruptionBudget defined | -',
    ])
  })

  test('a rollout is no change', async () => {
    expect(rolledOut).not.toBe(report)
    expect(await compare(report, rolledOut)).toMatchObject({ new: [], resolved: [], regressed: [], unchangedCount: 4 })
  })

  test('an issue that has gone is resolved', async () => {
    const mended = report.replace('"level": 1', '"level": 0').replace('"ok": 0, "info": 1', '"ok": 1, "info": 0')
    expect((await compare(report, mended)).resolved).toMatchObject([{ check_id: 'POP-1102' }])
  })
})

describe('the newer generation, with sections', () => {
  const report = fixture('popeye-sections')
  const rolledOut = report
    .replaceAll('65cc8855c-ghk9m', '5f7d9b6c4d-x8w2z')
    .replace('(40m/20m)', '(55m/20m)')
    .replace('(200%)', '(275%)')
    .replace('(4) times', '(5) times')
    .replace('87%', '91%')

  test('errors are high, warnings medium, information is info', async () => {
    const scan = await read(report)
    expect(scan).toMatchObject({
      clusterName: 'shop-prod',
      generatedAt: Date.UTC(2026, 7, 20, 6) / 1000,
      failedChecks: 5,
      findings: { total: 5, critical: 0, high: 1, medium: 3, low: 0, info: 1 },
      score: { value: 71, source: 'scanner' },
    })
    expect(await toFindings(scan)).toEqual([
      'high POP-1200 shop networkpolicy/deny | No pods match pod selector | -',
      'info POP-108 shop pod/web-65cc8855c-ghk9m | Unnamed port 8080 | web',
      'medium POP-109 shop pod/web-65cc8855c-ghk9m | CPU Current/Request (40m/20m) reached user 80% threshold (200%) | web',
      'medium POP-205 shop pod/web-65cc8855c-ghk9m | Pod was restarted (4) times | -',
      'medium POP-710 - node/node-1 | Memory threshold (80%) reached 87% | -',
    ])
  })

  test('a rollout and other amounts are no change', async () => {
    expect(await compare(report, rolledOut)).toMatchObject({ new: [], resolved: [], regressed: [], unchangedCount: 5 })
  })
})
