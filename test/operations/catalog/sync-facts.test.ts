import { describe, expect, test } from 'vitest'
import { readCatalogSettings } from '../../../src/config/catalog.ts'
import { OwnProject } from '../../../src/contract/catalog.ts'
import { statusOfFacts } from '../../../src/operations/catalog/facts-status.ts'
import { runSync } from '../../../src/operations/catalog/run-sync.ts'
import { openSyncTimes } from '../../../src/operations/catalog/sync-times.ts'
import { insertOwnProject } from '../../../src/store/catalog/own-project.ts'
import { type FakeRepository, openGithub } from '../../collectors/github-server.ts'
import { type Asked, openLocalServer } from '../../collectors/local-server.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { dump, now, openCatalogService } from '../service.ts'

const releases = [{ tag: 'v1.1.0', at: '2026-08-30T10:00:00Z' }]

const channels = (exclude: string) => `channels:
- name: stable
  latest: v1.35.7
- name: latest
  latestRegexp: .*
  excludeRegexp: (^[^+]+-|${exclude})
- name: v1.18
  latestRegexp: v1\\.18\\..*
  excludeRegexp: ^[^+]+-
`

const chart = (version: string, deprecated = false) => `  - version: ${version}
    created: "2026-08-0${version[0]}T10:00:00Z"${deprecated ? '\n    deprecated: true' : ''}
    urls: [shop-${version}.tgz]
`
const index = (...charts: string[]) => `apiVersion: v1\nentries:\n  shop:\n${charts.join('')}`

interface World {
  repository?: FakeRepository
  files?: Record<string, string>
}

/** A store with the project `shop`, its GitHub, its charts, and the channels of k3s and RKE2. */
async function open({ repository = { releases }, files = {} }: World = {}) {
  const github = await openGithub({ 'o/shop': repository })
  const pages = await openLocalServer(({ path }: Asked, response) => {
    const text = files[path]
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(text)
  })
  const service = await openCatalogService()
  const { db, call } = service
  // Nothing of the other projects is looked at.
  const nowhere = { repo_url: 'https://nowhere.example', helm_chart_repo: null }
  await db.updateTable('project').set(nowhere).execute()
  const project = OwnProject.parse({
    ...{ name: 'Shop', repo_url: 'https://github.com/o/shop', image_repositories: ['ghcr.io/o/shop'] },
    ...{ helm_chart_names: ['shop'], helm_chart_repo: `${pages.url}/charts` },
  })
  await insertOwnProject(db, { ...project, slug: 'shop', origin: 'user' }, now)
  const folder = temporaryFolder()
  let clock = now
  const sync = (projects: string[] = [], env: Record<string, string> = {}) => {
    const own = { RELT_GITHUB_URL: github.url, RELT_GITHUB_API_URL: github.url, RELT_GITHUB_TOKEN: github.token }
    const none = { RELT_OSV_URL: 'none', RELT_EOL_URL: 'none', RELT_KEV_URL: 'none' }
    const all = { ...own, ...none, RELT_CHANNELS_URL: pages.url, RELT_ALLOW_NETS: '127.0.0.0/8', ...env }
    const { signal } = new AbortController()
    const looking = { projects, settings: readCatalogSettings(all), env: all, folder, signal, concurrency: 4 }
    return runSync({ db, now: () => clock }, { ...looking, isDry: false })
  }
  const later = (seconds: number) => {
    clock += seconds
  }
  const told = async (source: string) =>
    (await statusOfFacts(db, openSyncTimes(folder))).filter((one) => one.source === source)
  return { github, pages, files, db, call, sync, later, told }
}

/** What freshness says of some artifacts. */
async function freshnessFor(
  call: Awaited<ReturnType<typeof open>>['call'],
  artifacts: object,
  kubernetesVersion = 'v1.33.6',
) {
  const metadata = { clusterName: `c${Math.random()}`, kubernetesVersion }
  const report = Buffer.from(JSON.stringify({ metadata, checks: {}, artifacts }))
  const { run_id } = await call('uploadReport', { body: {}, report })
  const { items } = await call('reportFreshness', { params: { run_id } })
  return items
}

describe('an archived repository', () => {
  test('retires its project from that day on, and no longer when it is open again', async () => {
    const { github, sync, told, call } = await open({ repository: { releases, archivedAt: '2026-08-20T09:00:00Z' } })
    const { facts } = await sync(['shop'])
    expect(facts).toEqual([
      { source: 'github', kind: 'project', outcome: 'changed', reason: null, facts: 1, as_of: '2026-09-01' },
    ])
    expect(await told('github')).toMatchObject([{ kind: 'project', facts: 1, as_of: '2026-09-01' }])
    const images = [{ fullRef: 'ghcr.io/o/shop:v1.1.0', namespace: 'a', workloadKind: 'Deployment', workloadName: 'a' }]
    const [, item] = await freshnessFor(call, { images })
    expect(item).toMatchObject({ status: 'up_to_date', states: ['retired'], facts: [{ since: '2026-08-20' }] })
    delete github.repositories['o/shop']!.archivedAt
    expect((await sync(['shop'])).facts).toMatchObject([{ outcome: 'changed', facts: 0 }])
  })

  test('stays known while GitHub does not answer', async () => {
    const { github, sync, told } = await open({ repository: { releases, archivedAt: '2026-08-20T09:00:00Z' } })
    await sync(['shop'])
    github.left.graphql = 0
    expect((await sync(['shop'])).facts).toMatchObject([{ outcome: 'limited', facts: 1, as_of: '2026-09-01' }])
    expect(await told('github')).toMatchObject([{ facts: 1 }])
  })

  test('is not asked for without a token', async () => {
    const { github, sync } = await open()
    expect((await sync(['shop'], { RELT_GITHUB_TOKEN: '' })).facts).toEqual([])
    expect(github.asked.filter(({ path }) => path === '/graphql')).toEqual([])
  })

  test('that is so still writes nothing, and its age is told all the same', async () => {
    const { db, sync, later, told } = await open({
      repository: { releases, archivedAt: '2026-08-20T09:00:00Z' },
      files: { '/charts/index.yaml': index(chart('1.0.0')) },
    })
    await sync(['shop'])
    const before = await dump(db)
    later(2 * 86_400)
    expect((await sync(['shop'])).facts).toMatchObject([{ outcome: 'unchanged' }])
    expect(await dump(db)).toEqual(before)
    expect(await told('github')).toMatchObject([{ as_of: '2026-09-03' }])
  })
})

describe('a deprecated chart', () => {
  const charts = [{ name: 'shop', version: '3.0.0', namespace: 'a', releaseName: 'shop' }]
  const artifacts = { helmCharts: charts }

  test('is retired from its first deprecated version on, while its newest version says so', async () => {
    const files: Record<string, string> = {
      '/charts/index.yaml': index(chart('3.0.0', true), chart('2.0.0', true), chart('1.0.0')),
    }
    const { sync, told, call } = await open({ files })
    await sync(['shop'])
    expect(await told('helm')).toMatchObject([{ kind: 'project', facts: 1, as_of: '2026-09-01' }])
    const items = await freshnessFor(call, artifacts)
    const [chartItem] = items.filter(({ artifact_type }) => artifact_type === 'helm_chart')
    expect(chartItem).toMatchObject({ status: 'up_to_date', states: ['retired'] })
    expect(chartItem!.facts).toMatchObject([{ since: '2026-08-02', what: expect.stringContaining('deprecated') }])
    files['/charts/index.yaml'] = index(chart('4.0.0'), chart('3.0.0', true))
    await sync(['shop'])
    expect(await told('helm')).toMatchObject([{ facts: 0 }])
  })

  test('leaves the images of its project alone', async () => {
    const { sync, call } = await open({ files: { '/charts/index.yaml': index(chart('3.0.0', true)) } })
    await sync(['shop'])
    const images = [{ fullRef: 'ghcr.io/o/shop:v1.1.0', namespace: 'a', workloadKind: 'Deployment', workloadName: 'a' }]
    const [, item] = await freshnessFor(call, { images })
    expect(item).toMatchObject({ source_product_id: expect.any(Number), states: [] })
  })
})

describe('releases that a distribution keeps out of its channels', () => {
  const files = () => ({
    '/k3s-io/k3s/HEAD/channel.yaml': channels('v1\\.33\\.5\\+k3s1'),
    '/rancher/rke2/HEAD/channels.yaml': channels('v1\\.33\\.6\\+rke2r1|v1\\.(30|31)\\..*'),
  })
  const env = { RELT_GITHUB_TOKEN: '' }

  test('are withdrawn, and no others', async () => {
    const { sync, call, told } = await open({ files: files() })
    const { facts } = await sync([], env)
    const channels = facts.filter(({ kind }) => kind === 'fault')
    expect(channels.map(({ source, outcome, facts }) => [source, outcome, facts])).toEqual([
      ['k3s', 'changed', 1],
      ['rke2', 'changed', 1],
    ])
    expect([...(await told('k3s')), ...(await told('rke2'))]).toMatchObject([
      { kind: 'fault', facts: 1, as_of: '2026-09-01' },
      { kind: 'fault', facts: 1, as_of: '2026-09-01' },
    ])
    const withdrawn: string[] = []
    for (const version of ['v1.33.5+k3s1', 'v1.33.5+k3s2', 'v1.33.6+rke2r1', 'v1.33.6+rke2r2', 'v1.33.6']) {
      const [kubernetes] = await freshnessFor(call, {}, version)
      if (kubernetes!.states!.includes('withdrawn')) withdrawn.push(version)
    }
    expect(withdrawn).toEqual(['v1.33.5+k3s1', 'v1.33.6+rke2r1'])
  })

  test('stay known when the address answers something else', async () => {
    const own: Record<string, string> = files()
    const { sync, told } = await open({ files: own })
    await sync([], env)
    for (const text of ['<html>Sign in</html>', 'channels: []']) {
      own['/k3s-io/k3s/HEAD/channel.yaml'] = text
      const { facts } = await sync([], env)
      expect(facts[0]).toMatchObject({ source: 'k3s', outcome: 'unreachable', facts: 1, as_of: '2026-09-01' })
    }
    expect(await told('k3s')).toMatchObject([{ facts: 1 }])
  })
})

describe('ranges of Kubernetes', () => {
  const check = (call: Awaited<ReturnType<typeof open>>['call'], part: string, to: string) => {
    const [project_slug, version] = part.split('@') as [string, string]
    return call('checkUpgrade', { body: { kubernetes: '1.33', to, parts: [{ project_slug, version }] } })
  }
  const ranged = (version: string, kubeVersion: string) =>
    `${chart(version)}    appVersion: v${version}\n    kubeVersion: "${kubeVersion}"\n`

  test('that charts state are kept, read as Helm reads them, and lead to the next chart', async () => {
    const charts = index(ranged('1.1.0', '>=1.25.0-0 <1.34.0-0'), ranged('1.2.0', '>=1.25.0-0,<1.36.0-0'))
    const { sync, call } = await open({ files: { '/charts/index.yaml': charts } })
    await sync(['shop'])
    const { parts, verdict } = await check(call, 'shop@1.1.0', '1.34')
    expect(verdict).toBe('ready')
    expect(parts).toMatchObject([{ needs: 'upgrade_before', to_version: '1.2' }])
    expect(parts[0]!.evidence[0]).toMatchObject({
      kind: 'chart',
      says: 'Helm refuses the chart shop 1.1.0 outside of Kubernetes >=1.25.0-0 <1.34.0-0.',
    })
    expect((await check(call, 'shop@1.2.0', '1.36')).verdict).toBe('blocked')
  })

  test('of which none is for both are opposite orders', async () => {
    const charts = index(ranged('1.1.0', '<1.34.0-0'), ranged('1.2.0', '>=1.34.0-0'), ranged('1.3.0', '~1.34.0-0'))
    const { sync, call } = await open({ files: { '/charts/index.yaml': charts } })
    await sync(['shop'])
    const { verdict, reasons } = await check(call, 'shop@1.2.0', '1.34')
    expect([verdict, reasons]).toEqual(['warnings', [expect.objectContaining({ word: 'not_stated' })]])
    const answer = await check(call, 'shop@1.1.0', '1.34')
    expect(answer.reasons).toEqual([
      {
        ...{ word: 'blocked', project_slug: 'shop' },
        says:
          'Opposite orders: Shop 1.1.0 must go before Kubernetes 1.34, and Shop 1.3, the next, needs Kubernetes 1.34 first. ' +
          'Helm refuses the chart shop 1.1.0 outside of Kubernetes <1.34.0-0. ' +
          'Helm refuses the chart shop 1.3.0 outside of Kubernetes ~1.34.0-0.',
      },
    ])
  })

  test('of Istio are those of its own table, and stay when it cannot be read', async () => {
    const file = 'istio/istio.io/HEAD/data/compatibility/supportStatus.yml'
    const path = `/${file}`
    const older = Array.from({ length: 12 }, (_, index) => `- version: "1.${index}"\n  k8sVersions: ["1.20"]\n`)
    const table = `- version: "master"
  k8sVersions: ["1.36"]
- version: "1.31"
  supported: "Yes"
  k8sVersions: ["1.34", "1.36", "1.35", "1.37"]
  testedK8sVersions: ["1.30"]
- version: "1.30"
  k8sVersions:
${older.join('')}`
    const { sync, files, told, call } = await open({ files: { [path]: table } })
    const env = { RELT_GITHUB_TOKEN: '' }
    const { facts } = await sync([], env)
    expect(facts).toContainEqual(expect.objectContaining({ source: file, outcome: 'changed', facts: 13 }))
    expect((await check(call, 'istio@1.31.0', '1.37')).parts).toMatchObject([{ needs: 'ok' }])
    expect(await told(file)).toMatchObject([{ kind: 'compatibility', facts: 13, as_of: '2026-09-01' }])
    files[path] = 'moved: true'
    expect((await sync([], env)).facts).toContainEqual(
      expect.objectContaining({
        ...{ source: file, outcome: 'unreachable', facts: 13 },
        reason: expect.stringContaining('answered with something else than ranges of the form that is known'),
      }),
    )
    expect((await check(call, 'istio@1.31.0', '1.37')).parts).toMatchObject([{ needs: 'ok' }])
  })
})
