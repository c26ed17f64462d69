import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { RouteAnswer } from '../../../src/contract/routes.ts'
import { refreshClusters } from '../../../src/operations/fleet/refresh.ts'
import { openService, refusalFor, type TestService } from '../service.ts'

type Page = RouteAnswer<'listFindings'>

const item = (namespace: string | null, resource: string | null, message: string, value?: string) => ({
  ...(namespace !== null && { Namespace: namespace }),
  ...(resource !== null && { Resource: resource }),
  Message: message,
  ...(value !== undefined && { Value: value }),
})
type Items = ReturnType<typeof item>[]

const check = (id: string, Severity: string, Items: Items, more: object = {}) => ({
  [id]: { ID: id, Name: `Check ${id}`, Category: 'Security', Severity, Total: Items.length, Items, ...more },
})

function report(cluster: string, generatedAt: string, ...checks: object[]) {
  return { metadata: { clusterName: cluster, generatedAt, score: 70 }, checks: Object.assign({}, ...checks) }
}

const root = (pod: string, namespace = 'shop') => item(namespace, `pod/${pod}`, `Container ${pod} runs as root`)
const probes = (name: string) => item('shop', `deployment/${name}`, 'readiness, liveness missing')

/** As `relt scan collect` merges the reports of an image that two workloads run. */
const imageInTwoNamespaces = {
  kind: 'VulnerabilityReport',
  metadata: { namespace: 'shop', name: 'web' },
  workloads: ['shop', 'pay'].map((namespace) => ({ namespace, resource: 'deployment/web', container: 'web' })),
  report: {
    artifact: { repository: 'nginx', tag: '1.27.3' },
    summary: { criticalCount: 1, highCount: 1 },
    vulnerabilities: [
      { vulnerabilityID: 'CVE-2026-1', severity: 'CRITICAL', resource: 'openssl', installedVersion: '3.0.1' },
      { vulnerabilityID: 'CVE-2026-2', severity: 'HIGH', resource: 'zlib', installedVersion: '1.2.1' },
    ],
  },
}

/** Two clusters; the first has two runs. */
async function openFleet(...options: Parameters<typeof openService>): Promise<TestService> {
  const service = await openService(...options)
  const upload = (body: object) => service.upload([], { report: body })
  await upload(
    report(
      'blue',
      '2026-08-20T06:00:00Z',
      check('SEC003', 'critical', [root('web'), root('cart')]),
      check('WRK007', 'warning', [probes('web')]),
    ),
  )
  await upload(
    report(
      'blue',
      '2026-08-30T06:00:00Z',
      check('SEC003', 'critical', [root('web'), root('api'), root('jobs', 'batch')]),
      check('WRK007', 'warning', [probes('web')]),
      check('NET001', 'high', [], {
        SuppressedTotal: 1,
        SuppressedFindings: [{ ...item('shop', 'service/web', 'Open to all'), Reason: 'known', Until: '2027-01-01' }],
      }),
      {
        PROM001: {
          ID: 'PROM001',
          Name: 'CPU',
          Severity: 'high',
          Total: 0,
          Items: { Status: 'Skipped', Message: 'Unable to check due to: forbidden' },
        },
      },
    ),
  )
  await upload(
    report(
      'green',
      '2026-08-29T06:00:00Z',
      check('SEC003', 'critical', [root('web')]),
      check('RBAC1', 'low', [item(null, 'clusterrolebinding/x', 'Too much')]),
    ),
  )
  return service
}

const list = (service: TestService, query: object = {}): Promise<Page> => service.call('listFindings', { query })
const shown = ({ items }: Page) =>
  items.map(
    ({ cluster_name, severity, check_id, resource, state }) =>
      `${cluster_name} ${severity} ${check_id} ${resource} ${state}`,
  )

/** Findings are new since Friday, 2026-08-28. */
const mondayNoon = Date.UTC(2026, 7, 31, 12) / 1000

/** For tests that only read. */
let fleet: TestService
beforeAll(async () => {
  fleet = await openFleet(':memory:', afterAll)
})

describe('findings', () => {
  test('lists the latest runs of all clusters, the most severe first', async () => {
    const page = await list(fleet, { since: '2026-08-29 12:00:00' })
    expect(shown(page)).toEqual([
      'blue critical SEC003 pod/web open',
      'blue critical SEC003 pod/api new',
      'blue critical SEC003 pod/jobs new',
      'green critical SEC003 pod/web open',
      'blue medium WRK007 deployment/web open',
      'green low RBAC1 clusterrolebinding/x open',
    ])
    expect(page).toMatchObject({ total: 6, total_pages: 1, findings: 6, rows: 6, group_by: null, groups: [] })
    expect(page.items[0]).toMatchObject({
      first_seen_at: '2026-08-20 06:00:00',
      seen_at: '2026-08-30 06:00:00',
      count: 1,
    })
    expect(page.items[1]).toMatchObject({ first_seen_at: '2026-08-30 06:00:00' })
  })

  test('says what the list does not cover', async () => {
    const { looked_at } = await list(fleet, { search: 'nothing like this' })
    expect(looked_at).toMatchObject({
      clusters: 2,
      runs: 2,
      oldest_scan_at: '2026-08-29 06:00:00',
      not_run_checks: 1,
      not_run: [{ cluster_name: 'blue', environment: 'prod', format: 'kubebuddy', checks: 1 }],
      suppressed_findings: 1,
      stale_count: 0,
    })
  })

  test('names clusters whose latest scan is old', async () => {
    const service = await openFleet()
    service.clock.now += 30 * 86_400
    const { looked_at } = await list(service)
    expect(looked_at).toMatchObject({ stale_count: 2, stale: [{ cluster_name: 'green' }, { cluster_name: 'blue' }] })
  })

  test.each([
    [{ severity: 'low,medium' }, ['WRK007', 'RBAC1']],
    [{ check: 'sec003', cluster_name: 'green' }, ['SEC003']],
    [{ namespace: 'batch' }, ['SEC003']],
    [{ namespace: '-' }, ['RBAC1']],
    [{ resource: 'Deployment/WEB' }, ['WRK007']],
    [{ search: 'LIVENESS' }, ['WRK007']],
    [{ search: 'check rbac' }, ['RBAC1']],
    [{ search: 'batch' }, ['SEC003']],
    [{ search: 'web', severity: 'medium' }, ['WRK007']],
    [{ namespace: 'batch', check: 'WRK007' }, []],
  ])('filters by %o', async (query, checks) => {
    const page = await list(fleet, query)
    expect(page.items.map(({ check_id }) => check_id)).toEqual(checks)
    expect(page.total).toBe(checks.length)
  })

  test('lists new and regressed findings as a comparison has them', async () => {
    const service = await openFleet()
    await service.upload([], {
      report: report(
        'blue',
        '2026-08-31T06:00:00Z',
        check('SEC003', 'critical', [root('cart'), root('new'), root('web')]),
      ),
    })
    const since = '2026-08-30 12:00:00'
    const page = await list(service, { state: 'new,regressed', cluster_name: 'blue', since })
    expect(shown(page)).toEqual(['blue critical SEC003 pod/cart regressed', 'blue critical SEC003 pod/new new'])
    const comparison = await service.call('compareReports', { query: { cluster_name: 'blue' } })
    expect([comparison.new_findings_count, comparison.regressed_findings_count]).toEqual([1, 1])
  })

  test('lists changes that the store has as comparing lists them', async () => {
    const service = await openFleet(':memory:', onTestFinished, { catalog: true })
    const { db, clock } = service
    clock.now = mondayNoon
    const vault = async () => service.vault
    const stored = () => db.selectFrom('scanner_change').selectAll().execute()
    const refresh = async () => {
      while ((await refreshClusters(db, { vault, now: clock.now })) > 0);
    }
    await service.upload([], {
      report: report(
        'blue',
        '2026-08-31T06:00:00Z',
        check('SEC003', 'critical', [root('cart'), root('new'), root('web'), root('new', 'batch')]),
        // Less severe before, and with rows that are not listed.
        check('WRK007', 'high', [probes('web'), item(null, 'node/a', 'Too old')], { Total: 9 }),
        check('NET002', 'low', [root('web')]),
      ),
    })
    await service.upload([], {
      report: report('green', '2026-08-31T06:00:00Z', check('SEC003', 'critical', [root('web'), root('web')])),
    })
    await service.upload([], {
      report: report('red', '2026-08-31T06:00:00Z', check('SEC003', 'critical', [root('a')])),
    })

    const queries = [
      {},
      ...['severity', 'cluster', 'check', 'first-seen'].map((sort) => ({ state: 'new,regressed', sort })),
      ...[1, 2, 3].map((page) => ({ state: 'new,regressed', page, per_page: 2 })),
      ...['new', 'regressed'].flatMap((state) => [
        ...['critical', 'high,low', 'info'].map((severity) => ({ state, severity })),
        ...['sec003', 'WRK007', 'none'].map((check) => ({ state, check })),
        ...['shop', 'batch', '-', 'none'].map((namespace) => ({ state, namespace })),
        { state, check: 'SEC003', namespace: 'batch' },
        { state, resource: 'new' },
        { state, group_by: 'check' },
        { state: `${state},suppressed` },
        { state: `${state},open` },
      ]),
    ]
    const lists = () => Promise.all(queries.map((query) => list(service, query)))
    const compared = await lists()
    expect(compared.filter(({ total }) => total > 0).length).toBeGreaterThan(20)
    expect(await stored()).toEqual([])
    await refresh()
    expect(await stored()).toHaveLength(3)
    expect(await lists()).toEqual(compared)

    // A list that compared again would not notice.
    await db.updateTable('scanner_change').set({ new_records: Buffer.of() }).execute()
    expect(await list(service, { state: 'new', cluster_name: 'blue' })).toMatchObject({ total: 0 })

    // An earlier run makes something regressed that was new.
    await service.upload([], {
      report: report('blue', '2026-08-10T06:00:00Z', check('SEC003', 'critical', [root('new')])),
    })
    expect(await stored()).toHaveLength(2)
    const after = await list(service, { state: 'new,regressed', cluster_name: 'blue' })
    expect(shown(after)).toContain('blue critical SEC003 pod/new regressed')
    await refresh()
    expect(await list(service, { state: 'new,regressed', cluster_name: 'blue' })).toEqual(after)
  })

  test('compares again where too much changed to be stored', async () => {
    const service = await openService(':memory:', onTestFinished, { catalog: true })
    // Numbers at the end of a name do not distinguish findings.
    const letters = (i: number) => i.toString().replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)
    const upload = (count: number, generatedAt: string) => {
      const items = Array.from({ length: count }, (_, i) => root(letters(i)))
      return service.upload([], { report: report('blue', generatedAt, check('SEC003', 'critical', items)) })
    }
    service.clock.now = mondayNoon
    await upload(1, '2026-08-27T06:00:00Z')
    await upload(1002, '2026-08-31T06:00:00Z')
    const before = await list(service, { state: 'new' })
    await refreshClusters(service.db, { vault: async () => service.vault, now: service.clock.now })
    expect(before.total).toBeGreaterThan(1000)
    expect(await service.db.selectFrom('scanner_summary').select('new_findings').execute()).toEqual([
      { new_findings: before.total },
    ])
    expect(await service.db.selectFrom('scanner_change').selectAll().execute()).toEqual([])
    expect(await list(service, { state: 'new' })).toEqual(before)
  })

  test('does not call a first run free of new findings', async () => {
    const page = await list(fleet, { state: 'new', cluster_name: 'green', since: '2026-08-28' })
    expect(page).toMatchObject({ findings: 2, since: '2026-08-28 00:00:00' })
    expect(await list(fleet, { state: 'new', cluster_name: 'green' })).toMatchObject({ findings: 0 })
  })

  test('lists suppressed findings and checks that did not run', async () => {
    const page = await list(fleet, { state: 'suppressed,not-run', severity: 'critical,high' })
    expect(page.items).toMatchObject([
      { check_id: 'NET001', state: 'suppressed', reason: 'known', suppressed_until: '2027-01-01', severity: 'high' },
      { check_id: 'PROM001', state: 'not-run', fingerprint: null, severity: null },
    ])
    expect(page.items[1]!.reason).toContain('forbidden')
  })

  test('takes the latest run of each scanner', async () => {
    const service = await openFleet()
    const trivy = {
      ClusterName: 'blue',
      Resources: [
        {
          ...{ Namespace: 'shop', Kind: 'Deployment', Name: 'web' },
          Results: [
            {
              Target: 'web',
              Misconfigurations: [
                { ID: 'KSV001', Title: 'Escalation', Severity: 'HIGH', Message: 'x', Status: 'FAIL' },
              ],
            },
          ],
        },
      ],
    }
    await service.upload([], { report: trivy, body: { format: 'trivy' } })
    const page = await list(service, { cluster_name: 'blue' })
    expect(new Set(page.items.map(({ format }) => format))).toEqual(new Set(['kubebuddy', 'trivy']))
    expect(page.looked_at).toMatchObject({ clusters: 1, runs: 2 })
    // In a group of both, the cluster counts once.
    for (const sort of [undefined, 'first-seen']) {
      const { groups } = await list(service, { group_by: 'namespace', sort })
      expect(groups.find(({ key }) => key === 'shop')).toMatchObject({ clusters: 2 })
    }
  })

  test('lists one run, also an older one', async () => {
    const { items } = await fleet.call('listReports', { query: { cluster_name: 'blue' } })
    // All of the first run was new when it came.
    const page = await list(fleet, { run_id: items[1]!.run_id })
    expect(shown(page)).toEqual([
      'blue critical SEC003 pod/web new',
      'blue critical SEC003 pod/cart new',
      'blue medium WRK007 deployment/web new',
    ])
  })

  test.each(['severity', 'cluster', 'check', 'namespace', 'count', 'first-seen'] as const)(
    'pages in the order of %s have each finding once',
    async (sort) => {
      const service = fleet
      const whole = await list(service, { sort })
      const pages: Page[] = []
      for (let page = 1; page <= 3; page++) pages.push(await list(service, { sort, page, per_page: 2 }))
      expect(pages.flatMap(({ items }) => items)).toEqual(whole.items)
      expect(pages.every(({ total, total_pages }) => total === 6 && total_pages === 3)).toBe(true)
      expect((await list(service, { sort, page: 4, per_page: 2 })).items).toEqual([])
    },
  )

  test('sorts by field', async () => {
    const namespaces = (await list(fleet, { sort: 'namespace' })).items.map(({ namespace }) => namespace)
    expect(namespaces).toEqual(['batch', 'shop', 'shop', 'shop', 'shop', null])
    const since = (await list(fleet, { sort: 'first-seen' })).items.map(({ first_seen_at }) => first_seen_at)
    expect(since).toEqual([...since].sort())
  })

  test.each([
    ['check', ['SEC003 critical 4 2', 'WRK007 medium 1 1', 'RBAC1 low 1 1']],
    ['severity', ['critical critical 4 2', 'medium medium 1 1', 'low low 1 1']],
    ['cluster', ['blue (prod) critical 4 1', 'green (prod) critical 2 1']],
    ['namespace', ['shop critical 4 2', 'batch critical 1 1', 'null low 1 1']],
    ['resource', ['shop pod/web critical 2 2']],
  ])('groups by %s', async (group_by, groups) => {
    const page = await list(fleet, { group_by })
    const lines = page.groups.map(
      ({ key, severity, findings, clusters }) => `${key} ${severity} ${findings} ${clusters}`,
    )
    expect(lines.slice(0, groups.length)).toEqual(groups)
    expect(page.groups.reduce((sum, { findings }) => sum + findings, 0)).toBe(6)
    expect(page).toMatchObject({ items: [], findings: 6 })
  })

  test.each(['without exceptions', 'with exceptions'])(
    'counts groups as going through every finding does, %s',
    async (exceptions) => {
      const service = await openService()
      const items = [root('web'), root('web'), root('api')]
      await service.upload([], {
        report: report(
          'blue',
          '2026-08-30T06:00:00Z',
          check('SEC003', 'critical', items, { Total: 40 }),
          check('WRK007', 'low', [root('web'), root('jobs', 'batch')]),
        ),
      })
      await service.upload([], { report: imageInTwoNamespaces, body: { format: 'trivy', cluster: { name: 'blue' } } })
      if (exceptions === 'with exceptions') {
        const { items: found } = await list(service, { check: 'SEC003' })
        const { fingerprint } = found.find(({ resource }) => resource === 'pod/api')!
        const more = { reason: 'Ticket 4711', expires_on: '2026-10-31' }
        for (const accepted of [{ fingerprint }, { check: 'WRK007' }, { check: 'CVE-2026-1' }]) {
          await service.call('createException', { body: { ...accepted, ...more, all_clusters: true } })
        }
        const { looked_at, total } = await list(service)
        expect([looked_at.accepted_findings, total]).toEqual([4, 3])
      }
      for (const group_by of ['check', 'namespace', 'severity', 'cluster']) {
        for (const severity of [undefined, 'critical', 'high,low', 'medium']) {
          // The order by the first sight needs every finding.
          const walked = await list(service, { group_by, severity, sort: 'first-seen' })
          for (const _ of ['cold', 'warm']) {
            const { total, findings, rows, groups } = await list(service, { group_by, severity })
            expect({ total, findings, rows }).toEqual({
              ...{ total: walked.total, findings: walked.findings, rows: walked.rows },
            })
            expect(groups.toSorted((a, b) => (`${a.key}` < `${b.key}` ? -1 : 1))).toEqual(
              walked.groups.toSorted((a, b) => (`${a.key}` < `${b.key}` ? -1 : 1)),
            )
          }
          if (group_by !== 'namespace' && group_by !== 'check') continue
          for (const { key, findings } of walked.groups) {
            const { total } = await list(service, { [group_by]: key ?? '-', severity })
            if (key !== null) expect({ key, total }).toEqual({ key, total: findings })
          }
        }
      }
      const { looked_at } = await list(service, { group_by: 'check' })
      expect(looked_at).toEqual((await list(service, { group_by: 'check', sort: 'first-seen' })).looked_at)
      expect(looked_at.unlisted_rows).toBeGreaterThan(0)
    },
  )

  test('sorts by count page by page as going through every finding does', async () => {
    const service = await openService()
    const several = (resource: string, count: number) => Array.from({ length: count }, () => root(resource))
    for (const [cluster, most] of [
      ['blue', 3],
      ['green', 5],
    ] as const) {
      const items = [...several('web', most), ...several('api', 2), root('cron')]
      const low = [...several('web', 2), root('db')]
      await service.upload([], {
        report: report(
          cluster,
          '2026-08-30T06:00:00Z',
          check('SEC003', 'critical', items, { Total: 40 }),
          check('WRK007', 'low', low),
        ),
      })
    }
    for (const severity of [undefined, 'critical', 'low', 'medium']) {
      // The order by the first sight needs every finding.
      const walked = await list(service, { severity, sort: 'first-seen' })
      const counts = walked.items.map(({ count }) => count ?? 0).toSorted((a, b) => b - a)
      for (const page of [1, 2, 3, 4]) {
        const { items, total, rows, looked_at } = await list(service, { severity, sort: 'count', page, per_page: 3 })
        expect(items.map(({ count }) => count ?? 0)).toEqual(counts.slice((page - 1) * 3, page * 3))
        expect({ total, rows, looked_at }).toEqual({
          ...{ total: walked.total, rows: walked.rows, looked_at: walked.looked_at },
        })
      }
    }
  })

  test('selects a check or a namespace page by page as going through every finding does', async () => {
    const service = await openService()
    for (const [cluster, ...pods] of [
      ['blue', 'web', 'web', 'api'],
      ['green', 'web', 'cart', 'cron', 'db'],
    ] as const) {
      const items = [...pods.map((pod) => root(pod)), root('jobs', 'batch'), item(null, 'node/a', 'Too old')]
      await service.upload([], {
        report: report(
          cluster,
          '2026-08-30T06:00:00Z',
          check('SEC003', 'critical', items, { Total: 40 }),
          check('sec003', 'low', [root('job')]),
          check('WRK007', 'low', [root('web'), root('cron', 'batch')], { Total: 5 }),
        ),
      })
    }
    for (const filter of [
      { check: 'SEC003' },
      { check: 'Wrk007' },
      { check: 'none' },
      { namespace: 'batch' },
      { namespace: 'shop' },
      { namespace: '-' },
      { namespace: 'none' },
      { check: 'SEC003', namespace: 'shop' },
      { check: 'SEC003', resource: 'web' },
    ]) {
      for (const severity of [undefined, 'low', 'critical,medium']) {
        for (const sort of ['severity', 'cluster']) {
          for (const page of [1, 2]) {
            const query = { ...filter, severity, sort, page, per_page: 3 }
            // Nothing is suppressed, but to find out takes a look at every finding.
            expect(await list(service, query)).toEqual(await list(service, { ...query, state: 'open,suppressed' }))
          }
        }
      }
    }
    const found = await list(service, { check: 'SEC003' })
    expect(found.looked_at.unlisted_rows).toBeGreaterThan(0)
    expect(found.total).toBeGreaterThan(6)
  })

  test('counts what is new in a run without an earlier one as going through every finding does', async () => {
    const service = await openService()
    service.clock.now = mondayNoon
    const checks = [
      check('SEC003', 'critical', [root('web'), root('api'), root('jobs', 'batch'), item(null, 'node/a', 'Too old')], {
        Total: 40,
      }),
      check('WRK007', 'low', [probes('web'), probes('web')], { Total: 5 }),
      check('EVENT001', 'low', [root('web'), root('api')]),
    ]
    for (const cluster of ['blue', 'green']) {
      await service.upload([], { report: report(cluster, '2026-08-31T06:00:00Z', ...checks) })
    }
    const event = (await list(service, { check: 'EVENT001' })).items[0]!.fingerprint!
    for (const accepted of [{ fingerprint: event }, { check: 'SEC003', resource: 'pod/api' }]) {
      const body = { ...accepted, all_clusters: true, reason: 'known', expires_on: '2026-10-31' }
      await service.call('createException', { body })
    }
    const filters = [
      ...[{}, { check: 'SEC003' }, { check: 'wrk007' }, { check: 'EVENT001' }],
      ...[{ namespace: 'shop' }, { namespace: 'batch' }, { namespace: '-' }],
    ]
    for (const filter of filters) {
      for (const state of ['new', 'new,regressed']) {
        for (const severity of [undefined, 'low', 'critical,medium']) {
          for (const query of [1, 2].map((page) => ({ ...filter, severity, page, per_page: 3 }))) {
            // Nothing is suppressed, but to find out takes a look at every finding.
            const walked = await list(service, { ...query, state: `${state},suppressed` })
            expect(await list(service, { ...query, state })).toEqual(walked)
          }
        }
      }
    }
    const { total, looked_at } = await list(service, { state: 'new' })
    expect(total).toBeLessThan((await list(service, {})).total)
    expect(looked_at).toMatchObject({ accepted_findings: 2, incomparable_findings: 0 })
    expect(await list(service, { state: 'new', check: 'EVENT001' })).toMatchObject({ total: 0 })
  })

  test('asks for changes alone as with other states, where no run came since', async () => {
    const service = await openService()
    const suppressed = {
      SuppressedTotal: 1,
      SuppressedFindings: [{ ...item('shop', 'service/web', 'Open to all'), Reason: 'known', Until: '2027-01-01' }],
    }
    await service.upload([], {
      report: report(
        'blue',
        '2026-08-30T06:00:00Z',
        check('SEC003', 'critical', [root('web'), root('api')], { Total: 40 }),
        check('WRK007', 'low', [root('web')], { Total: 3 }),
        check('NET001', 'high', [], suppressed),
      ),
    })
    const unlisted: (number | null)[] = []
    for (const filter of [
      {},
      { check: 'sec003' },
      { check: 'none' },
      { namespace: 'shop' },
      { namespace: '-' },
      { check: 'WRK007', namespace: 'shop' },
      { resource: 'web' },
      { search: 'api' },
      { severity: 'low' },
      { severity: 'low', check: 'SEC003' },
    ]) {
      // A run with suppressed findings is opened when these are asked for.
      const opened = await list(service, { ...filter, state: 'new,suppressed' })
      const { items, total, looked_at } = await list(service, { ...filter, state: 'new' })
      expect({ items, total }).toEqual({ items: [], total: 0 })
      expect(looked_at).toEqual(opened.looked_at)
      expect(looked_at).toMatchObject({ incomparable_findings: 0 })
      unlisted.push(looked_at.unlisted_rows)
    }
    expect(unlisted).toEqual([40, 38, 0, 40, 40, 2, 40, 40, 2, 0])
  })

  test('counts rows that a report does not list', async () => {
    const service = await openService()
    await service.upload([], {
      report: report('blue', '2026-08-30T06:00:00Z', check('SEC003', 'critical', [root('web')], { Total: 40 })),
    })
    const page = await list(service, { namespace: 'shop' })
    expect(page).toMatchObject({ total: 1, looked_at: { unlisted_rows: 39 } })
  })

  test('does not know runs, clusters and findings of others', async () => {
    const service = await openFleet()
    const user = await service.addUser('eve')
    const { items } = await list(service)
    expect(await service.call('listFindings', { user })).toMatchObject({ total: 0, looked_at: { runs: 0 } })
    const refused = [
      service.call('listFindings', { user, query: { run_id: items[0]!.run_id } }),
      service.call('listFindings', { user, query: { cluster_name: 'blue' } }),
      service.call('getFinding', { user, params: { fingerprint: items[0]!.fingerprint } }),
    ]
    for (const refusal of await Promise.all(refused.map(refusalFor))) expect(refusal).toMatch(/^not_found/)
  })
})
