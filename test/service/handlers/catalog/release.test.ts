import { describe, expect, test } from 'vitest'
import type { User } from '../../../../src/store/accounts/user.ts'
import { scan } from '../../../reports/scan.ts'
import { save } from '../../../store/bundled.ts'
import { at, catalog, day, now, openRoutes, refusalFor } from '../../harness.ts'

test.each(['addRelease', 'syncProjects', 'listExistingReleases'] as const)('%s is for admins', async (name) => {
  const { as, ada } = await openRoutes()
  expect(await refusalFor(as(undefined, name))).toBe('unauthenticated: Authentication is required.')
  expect(await refusalFor(as(ada, name))).toBe('forbidden: This needs the role of an admin.')
})

async function openAdmin() {
  const service = await openRoutes()
  const { as, admin, ids } = service
  return {
    ...service,
    add: (release: object) =>
      as(admin, 'addRelease', { body: { product_id: ids['argo-cd'], version: 'v4.0.0', type: 'app', ...release } }),
    sync: (projects: object[], cleanup_removed?: boolean) =>
      as(admin, 'syncProjects', { body: { projects, ...(cleanup_removed !== undefined && { cleanup_removed }) } }),
    recent: async (query: object = {}) =>
      (await as(undefined, 'getRecentReleases', { query })).releases.map((release) => release.version),
    /** Type and version of all releases of Argo CD. */
    stored: async () => {
      const { releases } = await as(admin, 'listExistingReleases', { query: { product_id: ids['argo-cd'] } })
      return releases.map(({ type, version }) => `${type} ${version}`)
    },
    detail: async (version: string, slug = 'argo-cd') => {
      const { product } = await as(undefined, 'getProject', { params: { id: `${ids[slug]}` } })
      return Object.values(product.releases)
        .flat()
        .find((release) => release.version === version)
    },
  }
}

describe('recent-releases', () => {
  test('has the newest of what is published, two unless told', async () => {
    const { as, recent, ids } = await openAdmin()
    expect(await recent()).toEqual(['v3.6.0-rc1', '1.29.0'])
    expect(await recent({ limit: '20' })).toEqual([
      'v3.6.0-rc1',
      '1.29.0',
      '10.1.1',
      'v3.5.1',
      'v1.9.9',
      'v2.0.0',
      'v3.4.8',
      '1.30.0',
    ])
    const { releases } = await as(undefined, 'getRecentReleases', { query: { limit: 1 } })
    expect(releases[0]).toMatchObject({ id: ids['argo-cd'], product_id: ids['argo-cd'], name: 'Argo CD', type: 'pre' })
  })

  test.each(['0', '21', '-1', 'x', '1.5'])('refuses limit=%j', async (limit) => {
    const { recent } = await openAdmin()
    expect(await refusalFor(recent({ limit }))).toBe('invalid_param: Invalid parameter(s): limit')
  })

  test('takes a category as it is written, in any case', async () => {
    const { recent } = await openAdmin()
    expect(await recent({ category: 'ci/cd', limit: 3 })).toEqual(['v3.6.0-rc1', '10.1.1', 'v3.5.1'])
    expect(await recent({ category: 'STORAGE', limit: 20 })).toEqual(['v1.9.9', 'v2.0.0'])
    expect(await recent({ category: 'Stor', limit: 20 })).toEqual([])
    expect(await recent({ category: '', limit: 20 })).toHaveLength(8)
  })

  test('takes security fixes only, of a category too', async () => {
    const { recent, add, ids } = await openAdmin()
    expect(await recent({ security_only: '1' })).toEqual([])
    await add({ has_security_fix: true, published_at: at(30) })
    await add({ product_id: ids.nginx, version: '1.29.1', has_security_fix: true, published_at: at(10) })
    expect(await recent({ security_only: '1' })).toEqual(['1.29.1', 'v4.0.0'])
    expect(await recent({ security_only: '1', limit: '1' })).toEqual(['1.29.1'])
    expect(await recent({ security_only: '1', category: 'CI/CD' })).toEqual(['v4.0.0'])
    expect(await recent({ security_only: '0' })).toEqual(['v3.6.0-rc1', '1.29.0'])
    expect(await refusalFor(recent({ security_only: 'yes' }))).toBe(
      'invalid_param: Invalid parameter(s): security_only',
    )
  })
})

describe('popular-projects', () => {
  test('come by subscribers, then by releases of the last 30 days', async () => {
    const { as, ada, bob, ids, subscribe } = await openRoutes()
    for (const slug of ['nginx', 'istio']) await subscribe(ada, slug)
    await subscribe(bob, 'nginx')
    const { projects } = await as(undefined, 'getPopularProjects')
    expect(projects.map((project) => [project.name, project.subscriber_count, project.releases_30d])).toEqual([
      ['nginx', 2, 1],
      ['Istio', 1, 0],
      ['Argo CD', 0, 4],
      ['Harbor', 0, 2],
      ['Quiet', 0, 0],
    ])
    expect(projects.map((project) => project.last_release_at)).toEqual([at(1), at(40), at(0.5), at(6), null])
    expect(projects[2]).toEqual({
      id: ids['argo-cd'],
      name: 'Argo CD',
      category: 'CI/CD',
      cncf_status: 'graduated',
      logo_url: null,
      repo_url: 'https://github.com/argoproj/argo-cd',
      subscriber_count: 0,
      last_release_at: at(0.5),
      releases_30d: 4,
    })
    expect((await as(ada, 'getPopularProjects', { query: { limit: '1' } })).projects).toHaveLength(1)
  })

  test('without subscribers, come by what runs in the clusters of the caller, then by releases', async () => {
    const { as, ada, bob, db, ids } = await openRoutes()
    const named = { repository: 'docker.io/istio/pilot', name: 'pilot', project_id: ids.istio! }
    await db.insertInto('project_image').values(named).execute()
    const images = [{ fullRef: 'docker.io/istio/pilot:1.30.0' }]
    const body = { cluster: { name: 'shop' }, artifacts: { images } }
    await as(ada, 'uploadReport', { body, report: Buffer.from('{}') })
    const names = async (user?: typeof ada) =>
      (await as(user, 'getPopularProjects')).projects.map(({ name }) => name).join()
    expect(await names()).toBe('Argo CD,Harbor,nginx,Istio,Quiet')
    expect(await names(bob)).toBe('Argo CD,Harbor,nginx,Istio,Quiet')
    expect(await names(ada)).toBe('Istio,Argo CD,Harbor,nginx,Quiet')
  })

  test.each(['0', '51'])('refuses limit=%s', async (limit) => {
    const { as } = await openRoutes()
    expect(await refusalFor(as(undefined, 'getPopularProjects', { query: { limit } }))).toMatch(/^invalid_param/)
  })
})

test('add-release tells who follows the project: of what is out, of a promotion, of a fix', async () => {
  const { as, add, ada, bob, subscribe, clock } = await openAdmin()
  await subscribe(ada, 'argo-cd')
  await subscribe(bob, 'argo-cd')
  for (const release of [
    { published_at: at(0) },
    { version: 'v3.6.0-rc1' },
    { version: 'v3.5.1', has_security_fix: true },
    { version: 'v3.5.1', has_security_fix: true },
    { version: 'v3.3.0', published_at: at(30) },
  ]) {
    await add(release)
    clock.now++
  }
  const told = async (user: User) => {
    const { logs } = await as(user, 'getDashboardLogs')
    return logs.map(({ kind, channel, target, version }) => [kind, channel, target, version].join(' '))
  }
  expect(await told(ada)).toEqual([
    'security email a…@example.com v3.5.1',
    'promotion email a…@example.com v3.6.0-rc1',
    'release email a…@example.com v4.0.0',
  ])
  expect(await told(bob)).toEqual([])
})

describe('add-release', () => {
  test('shows at the next request', async () => {
    const { as, ada, add, recent, subscribe, upload, user, ids } = await openAdmin()
    await subscribe(ada, 'argo-cd')
    const report = { ...scan([]), artifacts: { images: [{ fullRef: 'quay.io/argoproj/argocd:v3.5.1' }] } }
    const { run_id } = await upload([], { report })
    const freshness = async () => {
      const { items } = await as(user, 'reportFreshness', { params: { run_id } })
      const { status, latest_version } = items.find((item) => item.artifact_type === 'image')!
      return [status, latest_version]
    }
    expect(await freshness()).toEqual(['up_to_date', 'v3.5.1'])

    expect(await add({})).toEqual({ success: true, release_id: expect.any(Number), created: true })
    expect((await as(ada, 'getFeed')).releases[0]).toMatchObject({ version: 'v4.0.0', published_at: at(0) })
    expect(await recent()).toEqual(['v4.0.0', 'v3.6.0-rc1'])
    expect(await freshness()).toEqual(['major_behind', 'v4.0.0'])
    const { subscriptions } = await as(ada, 'listSubscriptions')
    expect(subscriptions[0]!.latest_release?.version).toBe('v4.0.0')
    const { items } = await as(undefined, 'listProjects', { query: { search: 'Argo CD' } })
    expect(items[0]).toMatchObject({ id: ids['argo-cd'], latest_version: 'v4.0.0', latest_published_at: at(0) })
  })

  test('stores what is given as it is given', async () => {
    const { add, detail, ids } = await openAdmin()
    const given = {
      release_notes: '<p onclick="x">Fixed &amp; done</p><script>1</script>',
      url: 'https://releases.example/v4',
      published_at: '2026-08-30T10:00:00+02:00',
      has_security_fix: true,
      cve_list: ['CVE-2026-0001'],
      security_summary: 'A hole',
      cve_links: ['https://cve.example/1'],
    }
    const { release_id } = await add(given)
    expect(await detail('v4.0.0')).toEqual({
      id: release_id,
      product_id: ids['argo-cd'],
      version: 'v4.0.0',
      type: 'app',
      created_at: at(0),
      security_severity: 'none',
      chart_name: null,
      app_version: null,
      ...given,
      published_at: '2026-08-30 08:00:00',
    })
  })

  test('updates what is there, only by what is given', async () => {
    const { add, detail, clock } = await openAdmin()
    const cve = 'CVE-2026-1234'
    const first = await add({ release_notes: 'one', has_security_fix: true, cve_list: [cve], published_at: at(5) })
    const before = await detail('v4.0.0')
    clock.now = now + day
    expect(await add({})).toEqual({ ...first, created: false })
    expect(await detail('v4.0.0')).toEqual(before)
    await add({ release_notes: 'two', has_security_fix: true, security_severity: 'high', published_at: '' })
    expect(await detail('v4.0.0')).toEqual({ ...before, release_notes: 'two', security_severity: 'high' })
    await add({ cve_list: null, has_security_fix: false, published_at: at(4) })
    expect(await detail('v4.0.0')).toMatchObject({ cve_list: null, has_security_fix: false, published_at: at(4) })
  })

  test('reads from the notes what is not said of security, and takes no fix back', async () => {
    const { add, detail } = await openAdmin()
    await add({ release_notes: 'Fixes CVE-2026-1000 (severity: high)' })
    const found = {
      has_security_fix: true,
      cve_list: ['CVE-2026-1000'],
      security_severity: 'high',
      security_summary: 'Fixes CVE-2026-1000 (severity: high)',
      cve_links: ['https://nvd.nist.gov/vuln/detail/CVE-2026-1000'],
    }
    expect(await detail('v4.0.0')).toMatchObject(found)
    await add({ release_notes: 'Edited' })
    expect(await detail('v4.0.0')).toMatchObject({ ...found, release_notes: 'Edited' })
    await add({ has_security_fix: true })
    await add({ release_notes: 'Fixes CVE-2026-1000' })
    expect(await detail('v4.0.0')).toMatchObject({ security_severity: 'high', cve_list: ['CVE-2026-1000'] })
    await add({ release_notes: 'See CVE-2026-1000', has_security_fix: false, cve_list: null })
    expect(await detail('v4.0.0')).toMatchObject({ has_security_fix: false, cve_list: null })
  })

  test('is created once when several come at once', async () => {
    const { add, stored } = await openAdmin()
    const answers = await Promise.all(Array.from({ length: 10 }, () => add({})))
    expect(answers.filter((answer) => answer.created)).toHaveLength(1)
    expect((await stored()).filter((release) => release === 'app v4.0.0')).toHaveLength(1)
  })

  test('keeps a change when a newer bundled catalog comes', async () => {
    const { db, add, detail, stored } = await openAdmin()
    await add({ version: 'v3.5.1', release_notes: 'ours' })
    await add({ version: 'v3.6.0-rc1' })
    await save(db, catalog, now)
    expect(await detail('v3.5.1')).toMatchObject({ release_notes: 'ours' })
    expect(await stored()).toEqual(['app v3.6.0-rc1', 'app v3.5.1', 'app v3.4.8', 'helm 10.1.1'])
  })

  test('puts a release in the place of the pre-release of its version', async () => {
    const { as, add, stored, detail, ids } = await openAdmin()
    await add({ version: 'v5.0.0', type: 'pre', release_notes: 'notes', published_at: at(9) })
    expect(await add({ version: 'v5.0.0' })).toMatchObject({ created: true })
    expect((await stored()).filter((release) => release.endsWith('v5.0.0'))).toEqual(['app v5.0.0'])
    expect(await detail('v5.0.0')).toMatchObject({ type: 'app', release_notes: 'notes', published_at: at(0) })
    expect(await add({ version: 'v5.0.0' })).toMatchObject({ created: false })

    await add({ version: 'v5.0.0', type: 'pre' })
    expect(await add({ version: 'v5.0.0' })).toMatchObject({ created: false })
    expect((await stored()).filter((release) => release.endsWith('v5.0.0'))).toEqual(['app v5.0.0'])
    const { items } = await as(undefined, 'listProjects', { query: { search: 'argo' } })
    expect(items.find((project) => project.id === ids['argo-cd'])!.latest_version).toBe('v5.0.0')
  })

  test('finds the chart that is meant', async () => {
    const { add, detail, stored, ids } = await openAdmin()
    const before = await stored()
    expect(await add({ version: '10.1.1', type: 'helm' })).toMatchObject({ created: false })
    expect(await stored()).toEqual(before)
    await add({ version: '11.0.0', type: 'helm' })
    expect(await detail('11.0.0')).toMatchObject({ chart_name: 'argo-cd' })
    expect(await add({ version: '11.0.0', type: 'helm', chart_name: 'other' })).toMatchObject({ created: true })
    await add({ product_id: ids.nginx, version: '1.0.0', type: 'helm' })
    expect(await detail('1.0.0', 'nginx')).toMatchObject({ chart_name: null })
  })

  test('knows no project that does not exist', async () => {
    const { add } = await openAdmin()
    for (const product_id of [0, -1, 999_999]) {
      expect(await refusalFor(add({ product_id }))).toBe(`not_found: No project with id ${product_id}.`)
    }
  })

  test.each([
    ['version', 'x'.repeat(201)],
    ['type', 'beta'],
    ['published_at', 'yesterday'],
    ['security_severity', 'bad'],
    ['has_security_fix', 'true'],
    ['cve_list', 'CVE-1'],
    ['url', 'https://releases.example/\u001b[31m'],
  ])('refuses %s %j', async (name, value) => {
    const { add } = await openAdmin()
    expect(await refusalFor(add({ [name]: value }))).toBe(`invalid_param: Invalid parameter(s): ${name}`)
  })

  test('needs a type', async () => {
    const { add } = await openAdmin()
    expect(await refusalFor(add({ type: undefined }))).toBe('invalid_param: Missing parameter(s): type')
  })
})

describe('existing-releases', () => {
  test('has all, or those of one project', async () => {
    const { as, admin, ids, stored } = await openAdmin()
    expect(await stored()).toEqual(['app v3.5.1', 'app v3.4.8', 'helm 10.1.1', 'pre v3.6.0-rc1'])
    const all = await as(admin, 'listExistingReleases')
    expect(all.releases).toHaveLength(9)
    expect(all.releases[0]).toEqual({ product_id: ids['argo-cd'], version: 'v3.5.1', type: 'app' })
    expect(await as(admin, 'listExistingReleases', { query: { product_id: '999999' } })).toMatchObject({
      success: true,
      releases: [],
      total: 0,
    })
    expect(await refusalFor(as(admin, 'listExistingReleases', { query: { product_id: 'x' } }))).toMatch(
      /^invalid_param/,
    )
  })

  test('come in pages when asked to', async () => {
    const { as, admin } = await openAdmin()
    const { releases: all } = await as(admin, 'listExistingReleases')
    const second = await as(admin, 'listExistingReleases', { query: { page: 2, per_page: 4 } })
    expect(second).toEqual({
      success: true,
      releases: all.slice(4, 8),
      page: 2,
      per_page: 4,
      total: all.length,
      total_pages: 3,
    })
  })

  test('takes every id that a number can be', async () => {
    const { as, admin } = await openAdmin()
    const ask = (id: number) => as(admin, 'listExistingReleases', { query: { product_id: String(id) } })
    expect((await ask(Number.MAX_SAFE_INTEGER)).releases).toEqual([])
    expect(await refusalFor(ask(Number.MAX_SAFE_INTEGER + 1))).toMatch(/^invalid_param/)
  })
})

describe('sync-projects', () => {
  test('creates, then updates by name in any case, only what is given', async () => {
    const { as, sync } = await openAdmin()
    const fields = {
      description: 'Caches',
      category: 'Storage',
      cncf_status: 'sandbox',
      homepage: 'https://valkey.example',
      docs_url: 'https://valkey.example/docs',
      repo_url: 'https://github.com/valkey-io/valkey',
      helm_chart_repo: 'https://charts.example',
      logo_url: 'https://valkey.example/logo.svg',
    }
    expect(await sync([{ name: 'Valkey', ...fields }, { name: 'Bare' }])).toEqual({
      success: true,
      created: 2,
      updated: 0,
      removed: 0,
    })
    const find = async (search: string) => (await as(undefined, 'listProjects', { query: { search } })).items
    const [valkey] = await find('valkey')
    expect(valkey).toMatchObject({ name: 'Valkey', ...fields, latest_version: null, latest_published_at: null })
    expect(await find('bare')).toMatchObject([{ description: '', cncf_status: 'open-source', helm_chart_repo: null }])

    expect(await sync([{ name: 'VALKEY', category: 'Cache' }])).toMatchObject({ created: 0, updated: 1 })
    expect(await find('valkey')).toEqual([{ ...valkey, name: 'VALKEY', category: 'Cache' }])
    await sync([{ name: 'valkey', helm_chart_repo: null, description: '' }])
    expect(await find('valkey')).toMatchObject([{ id: valkey!.id, helm_chart_repo: null, description: '' }])
    await sync([{ name: 'valkey', docs_url: null }])
    expect(await find('valkey')).toMatchObject([{ docs_url: null, logo_url: fields.logo_url }])
  })

  test('gives every project an address of its own', async () => {
    const { sync, db } = await openAdmin()
    const names = ['Café Überwacher', 'cafe uberwacher', 'nginx!', '日本', '中文', 'Argo--CD']
    expect(await sync(names.map((name) => ({ name })))).toMatchObject({ created: 6 })
    const rows = await db.selectFrom('project').select('slug').where('origin', '=', 'sync').orderBy('id').execute()
    expect(rows.map((row) => row.slug)).toEqual([
      'cafe-uberwacher',
      'cafe-uberwacher-2',
      'nginx-2',
      'project',
      'project-2',
      'argo-cd-2',
    ])
  })

  test('counts a name once that is twice in the list: the later entry', async () => {
    const { as, sync } = await openAdmin()
    expect(
      await sync([
        { name: 'Twin', category: 'a' },
        { name: 'twin', category: 'b' },
      ]),
    ).toMatchObject({ created: 1 })
    const { items } = await as(undefined, 'listProjects', { query: { search: 'twin' } })
    expect(items).toMatchObject([{ name: 'twin', category: 'b' }])
  })

  test('removes on request every project that the list lacks, with its subscriptions', async () => {
    const { as, ada, sync, ids } = await openAdmin()
    await sync([{ name: 'One' }, { name: 'Two' }, { name: 'Nginx', category: 'Web' }])
    const { items } = await as(undefined, 'listProjects', { query: { search: 'one' } })
    await as(ada, 'toggleSubscription', { body: { product_id: items[0]!.id } })
    await as(ada, 'toggleSubscription', { body: { product_id: ids.nginx } })
    expect(await sync([{ name: 'two' }])).toMatchObject({ updated: 1, removed: 0 })
    const { total } = await as(undefined, 'listProjects')
    const kept = [{ name: 'two' }, { name: 'nginx' }]
    expect(await sync(kept, true)).toEqual({ success: true, created: 0, updated: 2, removed: total - 2 })
    expect(await as(ada, 'getMySubscriptions')).toEqual({ subscribed_ids: [ids.nginx] })
    expect(await sync([], true)).toEqual({ success: true, created: 0, updated: 0, removed: 2 })
    expect(await as(ada, 'getMySubscriptions')).toEqual({ subscribed_ids: [] })
    expect((await as(undefined, 'listProjects')).total).toBe(0)
  })

  test('takes a list of five thousand', async () => {
    const { sync } = await openAdmin()
    const list = Array.from({ length: 5000 }, (_, number) => ({ name: `Project ${number}` }))
    expect(await sync(list)).toMatchObject({ created: 5000 })
    expect(await sync(list, true)).toMatchObject({ created: 0, updated: 5000, removed: 5 })
    expect(await refusalFor(sync([...list, { name: 'more' }]))).toBe('invalid_param: Invalid parameter(s): projects')
  })

  test('changes nothing when an entry is wrong', async () => {
    const { as, sync } = await openAdmin()
    expect(await refusalFor(sync([{ name: 'Good' }, { name: '' }]))).toBe(
      'invalid_param: Invalid parameter(s): projects.1.name',
    )
    expect((await as(undefined, 'listProjects')).total).toBe(5)
  })
})
