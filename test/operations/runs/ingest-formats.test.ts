import { expect, test } from 'vitest'
import { fixture } from '../../reports/formats/fixture.ts'
import { scan } from '../../reports/scan.ts'
import { day, now, openService, refusalFor, type TestService } from '../service.ts'

const upload = async (service: TestService, report: unknown, body: object = {}) => {
  const { run_id } = await service.upload([], { report, body: { cluster: { name: 'shop' }, ...body } })
  return service.call('getReport', { params: { run_id } })
}

const at = (days: number) => ({ run: { finished_at: new Date((now - days * day) * 1000).toISOString() } })

test('a run says whose report it is and who says its score', async () => {
  const service = await openService()
  expect(await upload(service, fixture('polaris'))).toMatchObject({
    format: 'polaris',
    score: 33,
    score_source: 'scanner',
  })
  expect(await upload(service, fixture('trivy-k8s-all'))).toMatchObject({
    format: 'trivy',
    score: 75.47,
    score_source: 'computed',
    findings: { total: 7, critical: 2, high: 2, medium: 1, low: 1, info: 1 },
    artifacts: { images: 1 },
  })
  const scoreless = { metadata: { clusterName: 'shop' }, checks: { A: { ID: 'A', Total: 0 } } }
  expect(await upload(service, scoreless)).toMatchObject({ format: 'kubebuddy', score: null, score_source: null })
})

test('the report is given back as it came', async () => {
  const service = await openService()
  const { run_id } = await upload(service, fixture('sarif'))
  const { report } = await service.call('getReport', { params: { run_id }, query: { include_report: true } })
  expect(report).toEqual(JSON.parse(fixture('sarif')))
})

test('after a rollout a comparison shows nothing, after a repair what was resolved', async () => {
  const service = await openService()
  const report = fixture('trivy-k8s-all')
  await upload(service, report, at(2))
  await upload(service, report.replaceAll('1.27.3', '1.27.4').replaceAll('k2j4x', 'q4t7v'), at(1))
  const counts = { new_findings_count: 0, resolved_findings_count: 0, regressed_findings_count: 0, score_delta: 0 }
  expect(await service.call('compareReports', { query: {} })).toMatchObject({ ...counts, unchanged_findings_count: 7 })
  const repaired = report
    .replace('"HIGH", "Status": "FAIL"', '"HIGH", "Status": "PASS"')
    .replace(/"Failures": \d+/g, '"Failures": 0')
  await upload(service, repaired, at(0))
  expect(await service.call('compareReports', { query: {} })).toMatchObject({
    ...counts,
    score_delta: 2.96,
    resolved_findings: [{ check_id: 'KSV-0014', namespace: 'shop', resource: 'deployment/web', severity: 'high' }],
    resolved_findings_count: 1,
  })
})

test('the run before is that of the same scanner, and so are the points of a trend', async () => {
  const service = await openService()
  const first = await upload(service, fixture('polaris'), at(3))
  const other = await upload(service, scan([{ resource: 'pod/a' }], { score: 50 }), at(2))
  const last = await upload(service, fixture('polaris').replace('"Score": 33', '"Score": 34'), at(1))
  expect(await service.call('compareReports', { query: {} })).toMatchObject({
    from: { run_id: first.run_id },
    to: { run_id: last.run_id },
    score_delta: 1,
    unchanged_findings_count: 5,
  })
  expect(await refusalFor(service.call('compareReports', { query: { to_run_id: other.run_id } }))).toMatch(/^not_found/)
  const trend = await service.call('reportTrends', { query: {} })
  expect(trend).toMatchObject({ points: [{ run_id: first.run_id }, { run_id: last.run_id }] })
})

test('runs of two scanners that are named to be compared are incomparable', async () => {
  const service = await openService()
  const from = await upload(service, fixture('polaris'), at(2))
  const to = await upload(service, fixture('kubescape'), at(1))
  const query = { from_run_id: from.run_id, to_run_id: to.run_id }
  expect(await service.call('compareReports', { query })).toMatchObject({
    score_delta: null,
    new_findings_count: 0,
    resolved_findings_count: 0,
    unchanged_findings_count: 0,
    incomparable_findings_count: 11,
  })
})

test('images that the report names are looked up for freshness', async () => {
  const service = await openService()
  const { run_id } = await upload(service, fixture('kubescape'))
  const { items } = await service.call('reportFreshness', { params: { run_id } })
  expect(items.map((item) => item.artifact_key).sort()).toEqual([
    'docker.io/library/busybox:1.36.1',
    'docker.io/library/nginx:1.27.3',
    'kubernetes@v1.34.2',
    'quay.io/ops/debug:v2.1.0',
  ])
})

test('a format may be named; a report of another shape is then refused', async () => {
  const service = await openService()
  expect(await upload(service, fixture('sarif'), { format: 'sarif' })).toMatchObject({ format: 'sarif' })
  expect(await upload(service, fixture('polaris'), { format: null })).toMatchObject({ format: 'polaris' })
  const wrong = service.upload([], { report: fixture('sarif'), body: { format: 'popeye' } })
  expect(await refusalFor(wrong)).toBe('invalid_param: Invalid parameter(s): report')
  const unknown = service.upload([], { report: fixture('sarif'), body: { format: 'grype' } })
  expect(await refusalFor(unknown)).toBe('invalid_param: Invalid parameter(s): format')
})

test('a report without a name of its cluster needs one', async () => {
  const service = await openService()
  const nameless = service.upload([], { report: fixture('kube-bench') })
  expect(await refusalFor(nameless)).toBe('invalid_param: Missing parameter(s): cluster.name')
})
