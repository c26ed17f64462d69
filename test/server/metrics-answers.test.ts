import { beforeAll, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../src/contract/routes.ts'
import { issueKey } from '../../src/operations/accounts/api-key.ts'
import { readSamples, type Series } from '../helpers/samples.ts'
import { smallReport, smallReports } from '../helpers/small-store.ts'
import { basic, openHttp } from './http.ts'

type Http = Awaited<ReturnType<typeof openHttp>>

let http: Http
let ada: Awaited<ReturnType<Http['signUp']>>
let bob: typeof ada
const path = { absolute: true } as const

beforeAll(async () => {
  http = await openHttp({}, () => {})
  ada = await http.signUp('ada')
  bob = await http.signUp('bob')
  for (const report of smallReports.slice(0, 2)) await upload('shop', 'prod', report)
  await upload('shop', 'dev', smallReport('2026-08-31T06:00:00Z', undefined, {}))
  await upload('shop', 'prod', trivy)
})

const upload = (name: string, environment: string, report: unknown) =>
  http.call('/cluster-reports', { headers: ada.headers, body: { cluster: { name }, environment, report } })

/** Another scanner of the same cluster, which gives no score and lists no inventory. */
const trivy = {
  ClusterName: 'shop',
  Resources: [
    {
      Namespace: 'shop',
      Kind: 'Deployment',
      Name: 'web',
      Results: [
        {
          Target: 'Deployment/web',
          Class: 'config',
          Type: 'kubernetes',
          MisconfSummary: { Successes: 3, Failures: 0 },
        },
      ],
    },
  ],
}

const scrape = async (headers: Record<string, string> = ada.headers) => {
  const answer = await http.call('/metrics/answers', { ...path, headers })
  return { ...answer, series: answer.status === 200 ? readSamples(answer.body) : [] }
}

const find = (series: Series[], name: string, labels: Record<string, string> = {}) =>
  series
    .filter((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    .map(({ value }) => value)

describe('the answers for Prometheus', () => {
  test('say what is known of each cluster and scanner', async () => {
    const { series } = await scrape()
    const prod = { cluster: 'shop', environment: 'prod', scanner: 'kubebuddy' }
    expect(find(series, 'relt_cluster_score', prod)).toEqual([72.5])
    expect(find(series, 'relt_cluster_last_scan_timestamp_seconds', prod)).toEqual([Date.UTC(2026, 7, 24, 6) / 1000])
    expect(
      find(series, 'relt_cluster_changed_findings', { ...prod, change: 'resolved', severity: 'critical' }),
      // The latest run is older than the time of news.
    ).toEqual([0])
    expect(find(series, 'relt_cluster_changed_findings', { ...prod, change: 'new', severity: 'critical' })).toEqual([0])
    expect(
      find(series, 'relt_cluster_artifacts', { cluster: 'shop', environment: 'prod', status: 'unknown' })[0],
    ).toBeGreaterThan(0)
    expect(series.find(({ name }) => name === 'relt_cluster_info')!.labels).toMatchObject({ cluster: 'shop' })
  })

  test('count apart what an exception accepts', async () => {
    const prod = { cluster: 'shop', environment: 'prod', scanner: 'kubebuddy', severity: 'critical' }
    const before = find((await scrape()).series, 'relt_cluster_findings', { ...prod, state: 'open' })
    const body = { check: 'SEC003', cluster_name: 'shop', reason: 'known', expires_on: '2027-01-01' }
    const { status, body: made } = await http.call('/exceptions', { headers: ada.headers, body })
    expect([status, before]).toEqual([200, [2]])
    const { series } = await scrape()
    expect(find(series, 'relt_cluster_findings', { ...prod, state: 'open' })).toEqual([0])
    expect(find(series, 'relt_cluster_findings', { ...prod, state: 'accepted' })).toEqual([2])
    await http.call(`/exceptions/${made.exception_id}/expire`, { headers: ada.headers, body: {} })
  })

  test('leave out what is not known', async () => {
    const { series } = await scrape()
    const dev = { cluster: 'shop', environment: 'dev' }
    for (const name of ['score', 'findings', 'changed_findings', 'expected_scan_interval_seconds']) {
      expect(find(series, `relt_cluster_${name}`, dev)).toEqual([])
    }
    expect(find(series, 'relt_gate_verdict', dev)).toEqual([])
  })

  test('have no series twice, whatever shares a name, and at most 100 for each scanner', async () => {
    const { series } = await scrape()
    const keys = series.map(({ name, labels }) => `${name}${JSON.stringify(Object.entries(labels).sort())}`)
    expect(new Set(keys).size).toBe(keys.length)
    const scanners = new Set(series.map(({ labels }) => labels.scanner).filter(Boolean))
    expect(scanners).toEqual(new Set(['kubebuddy', 'trivy']))
    const ofProd = series.filter(({ labels }) => labels.cluster === 'shop' && labels.environment === 'prod')
    for (const scanner of scanners) {
      expect(
        ofProd.filter(({ labels }) => labels.scanner === undefined || labels.scanner === scanner).length,
      ).toBeLessThanOrEqual(100)
    }
  })

  test('name nothing that lies in a cluster', async () => {
    const { body } = await scrape()
    for (const word of ['web', 'cart', 'argocd', 'registry.shop.example', 'CVE-']) expect(body).not.toContain(word)
  })

  test('are OpenMetrics when that is asked for', async () => {
    const { body, headers } = await scrape({
      ...ada.headers,
      accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5',
    })
    expect(headers.get('content-type')).toContain('application/openmetrics-text')
    expect(body.endsWith('# EOF\n')).toBe(true)
  })

  test('are of the caller alone', async () => {
    const { series } = await scrape(bob.headers)
    expect(series.filter(({ labels }) => labels.cluster !== undefined)).toEqual([])
    expect(series.length).toBeGreaterThan(0)
  })

  test.each<[string, () => Record<string, string>]>([
    ['no credentials', () => ({})],
    ['a wrong key', () => ({ authorization: basic('ada', 'wrong') })],
    ['a wrong token', () => ({ authorization: 'Bearer abcd' })],
  ])('are refused with %s', async (_, headers) => {
    const { status, series } = await scrape(headers())
    expect([status, series]).toEqual([401, []])
  })
})

describe('a key of scope metrics', () => {
  const toHeaders = async () => {
    const asked = { userId: ada.user.id, name: 'prometheus', scope: 'metrics' as const }
    const { password } = await issueKey(http.service, asked, http.clock.now)
    return { authorization: `Bearer ${password.replaceAll(' ', '')}` }
  }

  test('reads them as bearer token', async () => {
    expect((await scrape(await toHeaders())).status).toBe(200)
  })

  test('calls no other route, and no assistant', async () => {
    const headers = await toHeaders()
    const names = (Object.keys(routes) as RouteName[]).filter((name) => !('forMetrics' in routes[name]))
    for (const name of names) {
      const { method, path } = routes[name]
      const { status } = await http.call(path.replaceAll(/\{\w+\}/g, '1'), { method, headers })
      expect([name, status]).toEqual([name, 403])
    }
    const { body } = await http.call('/mcp', {
      ...{ ...path, headers: { ...headers, accept: 'application/json, text/event-stream' } },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'fleet_status', arguments: {} } },
    })
    expect(JSON.stringify(body)).not.toContain('shop')
  })
})
