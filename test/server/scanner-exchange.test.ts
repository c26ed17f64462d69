import { expect, test } from 'vitest'
import { basePath } from '../../src/server/http/base-path.ts'
import { smallReports } from '../helpers/small-store.ts'
import { openHttp } from './http.ts'

/** What the native scanner sends: texts that it has nothing for are empty, and it retries whatever fails. */
const toUpload = (report: object) => ({
  source: 'kubebuddy',
  source_version: '',
  environment: 'prod',
  cluster: { name: '', provider: '', region: '' },
  run: { started_at: '', finished_at: '', duration_seconds: 0 },
  report,
})

test('the scanner uploads, finds no earlier run at first, and compares by its run alone', async () => {
  const { call, signUp, clock } = await openHttp()
  const { headers } = await signUp('scanner')
  const upload = async (report: object) => {
    clock.now += 60
    return call('/cluster-reports', { body: toUpload(report), headers })
  }
  const compare = (run: string) => call(`/cluster-reports/compare?to_run_id=${run}`, { headers })

  const first = await upload(smallReports[0]!)
  expect(first).toMatchObject({ status: 201, body: { run_id: expect.stringMatching(/^crun_[A-Za-z0-9-]+$/) } })
  expect((await call(`/cluster-reports/${first.body.run_id}`, { headers })).body).toMatchObject({
    cluster_name: 'shop-prod',
    source: 'kubebuddy',
    started_at: null,
  })
  expect(await compare(first.body.run_id)).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })

  expect(await upload(smallReports[0]!)).toMatchObject({ status: 200, body: { run_id: first.body.run_id } })
  await upload(smallReports[1]!)
  const last = await upload(smallReports[2]!)
  const { status, body } = await compare(last.body.run_id)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    score_delta: 7.5,
    new_findings_count: 1,
    regressed_findings_count: 2,
    resolved_findings_count: 1,
    to: { run_id: last.body.run_id },
  })
})

test('the scanner fetches its profile as a file', async () => {
  const { app, call, signUp } = await openHttp()
  const { headers } = await signUp('scanner')
  const created = await call('/cluster-configs', {
    headers,
    body: {
      name: 'shop',
      cluster_name: 'shop-prod',
      provider: 'aks',
      notes: '',
      settings: { excluded_namespaces: ['kube-system', 'odd\u007f\u2028'], excluded_checks: ['SEC014'] },
    },
  })
  expect(created.status).toBe(200)
  const path = `/cluster-configs/${created.body.config_id}/config-file`
  const json = await call(path, { headers })
  expect(json.headers.get('content-type')).toContain('application/json')
  expect(json.body).toMatchObject({ filename: expect.any(String), content: expect.stringContaining('SEC014') })
  const raw = await (await app.request(basePath + path, { headers })).text()
  // A reader of YAML refuses the first as it is, and takes the second for the end of a line.
  expect(raw).toContain('"odd\\u007f\\u2028"')
  const yaml = await call(path, { headers: { ...headers, accept: 'application/yaml' } })
  expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
  expect(yaml.headers.get('cache-control')).toBe('no-store')
  expect(yaml.body).toBe(json.body.content)
})

test('what one uploads, another does not see', async () => {
  const { call, signUp } = await openHttp()
  const [ada, bob] = [await signUp('ada'), await signUp('bob')]
  const { run_id } = (await call('/cluster-reports', { body: toUpload(smallReports[0]!), headers: ada.headers })).body
  for (const path of ['', '/freshness', '?include_report=true']) {
    expect((await call(`/cluster-reports/${run_id}${path}`, { headers: bob.headers })).status).toBe(404)
  }
  expect((await call(`/cluster-reports/${run_id}`, { method: 'DELETE', headers: bob.headers })).status).toBe(404)
  expect((await call('/cluster-reports', { headers: bob.headers })).body.total).toBe(0)
})
