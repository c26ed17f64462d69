import { describe, expect, test } from 'vitest'
import { openHttp } from './http.ts'

const shapes: [title: string, report: object, score: number | null][] = [
  ['an empty object', {}, null],
  ['metadata alone', { metadata: { clusterName: 'shop', score: 81.5 } }, 81.5],
  ['metadata with no checks', { metadata: { clusterName: 'shop', score: 0 }, checks: {} }, 0],
  ['a shape that nobody knows', { anything: [1, { at: 'all' }], verdict: 'green' }, null],
  ['an SBOM', { bomFormat: 'CycloneDX', components: [{ name: 'openssl' }], metadata: { score: '99' } }, null],
  ['checks of another shape', { checks: { A: 'passed' }, metadata: { score: 70 } }, 70],
  ['a score out of range', { metadata: { score: 101 } }, null],
]

const check = (Total: number) => ({
  ID: 'SEC001',
  Severity: 'High',
  Total,
  Items: Total ? [{ Resource: 'pod/a' }] : [],
})
const real = (hour: number) => ({
  metadata: { clusterName: 'shop', score: 90, generatedAt: `2026-08-31 0${hour}:00:00` },
  checks: { SEC001: check(1) },
})

async function open() {
  const http = await openHttp()
  const { headers } = await http.signUp('ada')
  const upload = (report: unknown, more = {}) =>
    http.call('/cluster-reports', { headers, body: { cluster: { name: 'shop' }, report, ...more } })
  const read = async (path: string) => (await http.call(path, { headers })).body
  return { ...http, headers, upload, read }
}

describe.each(shapes)('a report that is %s', (_, report, score) => {
  test('is stored, listed and returned as it is', async () => {
    const { upload, read } = await open()
    const { status, body } = await upload(report)
    expect({ status, body }).toMatchObject({ status: 201, body: { success: true, processing_status: 'ready' } })
    const run = await read(`/cluster-reports/${body.run_id}?include_report=true`)
    expect(run).toMatchObject({ report, score, is_empty: true, total_checks: 0, passed_checks: 0 })
    expect((await read('/cluster-reports')).items).toMatchObject([{ run_id: body.run_id, processing_status: 'ready' }])
    expect(await read(`/cluster-reports/${body.run_id}/freshness`)).toMatchObject({ success: true, items: [] })
    expect((await read('/cluster-reports/trends')).points).toMatchObject([{ run_id: body.run_id, score }])
  })

  test('resolves nothing of an earlier report, and a later one is not compared with it', async () => {
    const { upload, read, clock } = await open()
    const first = (await upload(real(1))).body.run_id
    clock.now += 3600
    const strange = (await upload(report)).body.run_id
    expect(await read('/cluster-reports/compare?cluster_name=shop')).toMatchObject({ code: 'rest_no_route' })
    const across = await read(`/cluster-reports/compare?from_run_id=${first}&to_run_id=${strange}`)
    expect(across).toMatchObject({ resolved_findings_count: 0, new_findings_count: 0, score_delta: null })
    clock.now += 3600
    const second = (await upload(real(2), { run: { finished_at: '2026-09-01 14:00:00' } })).body.run_id
    const comparison = await read('/cluster-reports/compare?cluster_name=shop')
    expect(comparison).toMatchObject({ from: { run_id: first }, to: { run_id: second } })
    expect(comparison).toMatchObject({ new_findings_count: 0, resolved_findings_count: 0, unchanged_findings_count: 1 })
    expect((await read('/cluster-reports/trends')).points).toMatchObject([{ run_id: first }, { run_id: second }])
  })
})

test('what is no object is refused, and what names no cluster', async () => {
  const { upload } = await open()
  for (const report of [[], 5, 'x', true, [{}]]) {
    const { status, body } = await upload(report)
    expect({ status, params: Object.keys(body.data.params) }).toEqual({ status: 400, params: ['report'] })
  }
  const { status, body } = await upload({ metadata: { clusterName: 5 } }, { cluster: {} })
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
  expect(body.message).toContain('cluster.name')
})

test('limits hold, and JSON is checked to its end', async () => {
  const { call, headers } = await open()
  const post = (report: string) =>
    call('/cluster-reports', { headers, body: `{"cluster":{"name":"shop"},"report":${report}}` })
  const deep = `{"a":${'['.repeat(65)}${']'.repeat(65)}}`
  for (const report of [deep, '{"a":[nul]}', '{"a":1,"a":2}', '{"a":{"__proto__":1}}']) {
    expect(await post(report), report).toMatchObject({ status: 400, body: { code: 'rest_invalid_json' } })
  }
})

test('a report with the name of its scanner must be one of it, with at least one check', async () => {
  const { upload } = await open()
  for (const format of ['kubebuddy', 'trivy']) {
    for (const report of [{}, { metadata: { clusterName: 'shop' }, checks: {} }, { Resources: [] }]) {
      expect(await upload(report, { format })).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
    }
  }
})
