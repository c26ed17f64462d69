import { describe, expect, test } from 'vitest'
import { openService, refusalFor } from '../service.ts'

const path = (id: string, status = 'triggered') => ({
  ...{ id, name: `Path ${id}`, status, fixPriority: 'high', signalChecks: ['SEC003'] },
  evidence: [{ checkId: 'SEC003', checkName: 'Root', severity: 'High', findingCount: 2, sampleFindings: [] }],
})

function report(generatedAt: string, paths: object[] | undefined, more: { cluster?: string; rows?: number } = {}) {
  const { cluster = 'blue', rows = 3 } = more
  const Items = Array.from({ length: rows }, (_, i) => ({
    Namespace: 'shop',
    Resource: `deployment/${'abcdef'[i]}`,
    Message: 'root',
  }))
  const checks = {
    SEC003: {
      ID: 'SEC003',
      Name: 'Root',
      Severity: 'critical',
      Weight: 3,
      Total: rows,
      Items,
      Recommendation: 'Set runAsUser.',
      URL: 'https://k.example/',
    },
    NET001: { ID: 'NET001', Name: 'Open', Severity: 'high', Weight: 1, Total: 0, Items: [] },
  }
  return {
    metadata: { clusterName: cluster, generatedAt, score: 50 },
    checks,
    ...(paths && { directRiskPaths: paths }),
  }
}

describe('risk paths of a cluster', () => {
  test('are listed, shown with the run, and compared', async () => {
    const service = await openService()
    const upload = (body: object) => service.upload([], { report: body })
    await upload(report('2026-08-20T06:00:00Z', [path('RISK001'), path('RISK002')]))
    const { run_id } = await upload(
      report('2026-08-30T06:00:00Z', [path('RISK002'), path('RISK003'), path('RISK004', 'mitigated')]),
    )
    await upload(report('2026-08-30T06:00:00Z', undefined, { cluster: 'green' }))
    const all = await service.call('listRiskPaths', {})
    expect(all.items.map(({ cluster_name, id, is_open }) => [cluster_name, id, is_open])).toEqual([
      ['blue', 'RISK002', true],
      ['blue', 'RISK003', true],
      ['blue', 'RISK004', false],
    ])
    expect(all).toMatchObject({ runs_without_risk_paths: 1, looked_at: { clusters: 2, runs: 2 } })
    expect(all.items[0]!.evidence).toMatchObject([{ check_id: 'SEC003', findings: 2 }])
    const run = await service.call('getReport', { params: { run_id } })
    expect(run.risk_paths).toHaveLength(3)
    expect(run.guidance).toEqual([{ check_id: 'SEC003', recommendation: 'Set runAsUser.', url: 'https://k.example/' }])
    const { risk_paths } = await service.call('compareReports', { query: { cluster_name: 'blue' } })
    expect(risk_paths!.opened.map(({ id }) => id)).toEqual(['RISK003'])
    expect(risk_paths!.closed.map(({ id }) => id)).toEqual(['RISK001'])
  })

  test('are those of its owner', async () => {
    const service = await openService()
    await service.upload([], { report: report('2026-08-20T06:00:00Z', [path('RISK001')]) })
    const user = await service.addUser('eve')
    expect(await service.call('listRiskPaths', { user })).toMatchObject({ items: [], looked_at: { runs: 0 } })
    expect(await service.call('listTopChecks', { user })).toMatchObject({ items: [], mean_score: null })
    expect(await refusalFor(service.call('listTopChecks', { user, query: { cluster_name: 'blue' } }))).toMatch(
      /^not_found/,
    )
  })
})

describe('the top checks', () => {
  test('are those that give back most of the mean score', async () => {
    const service = await openService()
    const upload = (body: object, more = {}) => service.upload([], { report: body, ...more })
    await upload(report('2026-08-30T06:00:00Z', undefined))
    await upload(report('2026-08-30T06:00:00Z', undefined, { cluster: 'green', rows: 1 }))
    const top = await service.call('listTopChecks', {})
    // 3 × (1 − 1/4) ÷ 4 and 3 × (1 − 1/2) ÷ 4 points, over two clusters.
    expect(top.items).toEqual([
      {
        ...{ check_id: 'SEC003', check_name: 'Root', format: 'kubebuddy', severity: 'critical', points: 46.88 },
        ...{ basis: 'weights', rows: 4, clusters: 2, recommendation: 'Set runAsUser.', url: 'https://k.example/' },
      },
    ])
    expect(top).toMatchObject({ total: 1, mean_score: 50, runs_by_formula: 0 })
    const one = await service.call('listTopChecks', { query: { cluster_name: 'blue' } })
    expect(one.items).toMatchObject([{ points: 56.25, rows: 3, clusters: 1 }])
  })

  test('say where the points follow from the formula', async () => {
    const service = await openService()
    const trivy = {
      ClusterName: 'blue',
      Resources: [
        {
          ...{ Namespace: 'shop', Kind: 'Deployment', Name: 'web' },
          Results: [
            {
              Target: 'web',
              Misconfigurations: [
                { ID: 'KSV001', Title: 'Escalation', Severity: 'HIGH', Status: 'FAIL', Resolution: 'Set it.' },
              ],
            },
          ],
        },
      ],
    }
    await service.upload([], { report: trivy, body: { format: 'trivy' } })
    // One finding of high severity costs 100 − 100 × 100 / 105.
    expect(await service.call('listTopChecks', {})).toMatchObject({
      items: [{ check_id: 'KSV001', points: 4.76, basis: 'formula', severity: 'high', recommendation: 'Set it.' }],
      runs_by_formula: 1,
      mean_score: 95.24,
    })
  })
})
