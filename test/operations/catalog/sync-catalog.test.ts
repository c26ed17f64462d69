import { describe, expect, test } from 'vitest'
import { createGitCollector } from '../../../src/collectors/git/index.ts'
import { createGithubCollector } from '../../../src/collectors/github-releases/index.ts'
import type { HttpSettings } from '../../../src/collectors/http.ts'
import { createHttp } from '../../../src/collectors/http.ts'
import { setMeta } from '../../../src/db/meta.ts'
import { type SourceSyncOptions, syncCatalog } from '../../../src/operations/catalog/sync-catalog.ts'
import type { SyncMeans } from '../../../src/operations/catalog/sync-source.ts'
import { openSyncTimes, type SyncTimes } from '../../../src/operations/catalog/sync-times.ts'
import { listSources } from '../../../src/store/catalog/source.ts'
import { type FakeGithub, type FakeRelease, openGithub } from '../../collectors/github-server.ts'
import { openHttp } from '../../collectors/http.ts'
import { addProjects, repositoriesFor, slugs } from '../../collectors/projects.ts'
import { requestsByKind } from '../../collectors/request-kinds.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { day, dump, now, openService, refusalFor, type TestService } from '../service.ts'

const token = 'ghp_hunter2'

async function open(names: string[]) {
  const github = await openGithub(repositoriesFor(names))
  const service = await openService()
  await addProjects(service.db, names, now)
  // Later than the bundled catalog, whose projects would be asked about too.
  await setMeta(service.db, 'catalog_date', '2099-01-01')
  const notes = openSyncTimes(temporaryFolder())
  return {
    github,
    notes,
    ...service,
    sync: (options: Partial<Wish> = {}) => sync(service, github, { notes, ...options }),
  }
}

type Wish = SourceSyncOptions & {
  notes: SyncTimes
  token: string | undefined
  signal: AbortSignal
  http: Partial<HttpSettings>
} & Partial<SyncMeans>

/** One sync, with connections and a collector of its own. */
async function sync({ db }: TestService, github: FakeGithub, wish: Partial<Wish>) {
  const { signal = new AbortController().signal, http: settings, ...options } = wish
  const clock = () => Math.floor(Date.now() / 1000)
  const http = createHttp({
    env: {},
    access: { allowedNets: ['127.0.0.0/8'], trustedOrigins: [] },
    now: clock,
    signal,
    perHost: 8,
    patienceMs: 60_000,
    retryPausesMs: [1],
    maxWaitSeconds: 1,
    ...settings,
  })
  const origin = { webUrl: github.url, apiUrl: github.url, token: 'token' in wish ? wish.token : token }
  const means: SyncMeans = {
    // Without `hasToken` there is one source a project, because nothing asks for advisories.
    collectors: { git: origin.token ? createGithubCollector(origin) : createGitCollector(origin) },
    context: { http, now: clock },
    githubHosts: [],
    notes: openSyncTimes(temporaryFolder()),
    credentialFor: async () => undefined,
    signal,
    ...options,
  }
  github.asked.length = 0
  try {
    return await syncCatalog(db, means, { projects: [], width: 32, isDry: false, ...options })
  } finally {
    await http.close()
  }
}

function outcomes({ sources }: Awaited<ReturnType<typeof syncCatalog>>): Record<string, number> {
  const groups = Map.groupBy(sources, ({ outcome }) => outcome)
  return Object.fromEntries([...groups].map(([outcome, all]) => [outcome, all.length]))
}

describe.each([
  [300, 'with a token', token],
  [60, 'without a token', undefined],
])('%i projects %s', (count, _, token) => {
  test('are all known after the first sync; the second asks each once and writes nothing', async () => {
    const store = await open(slugs(count))
    const first = await store.sync({ token })
    expect([outcomes(first), first.total]).toEqual([{ changed: count }, count])
    expect(await store.db.selectFrom('release').select('version').execute()).toHaveLength(count * 5 + count / 20)
    const before = await dump(store.db)
    expect(outcomes(await store.sync({ token }))).toEqual({ unchanged: count })
    const { conditional, unconditional } = requestsByKind(store.github.asked)
    expect(conditional.map(({ status }) => status)).toEqual(Array(token ? count : 0).fill(304))
    // With a token, only the repositories with nothing but tags are asked by git.
    expect(unconditional).toHaveLength(token ? count / 10 : count)
    expect(await dump(store.db)).toEqual(before)
  })
})

test('one project that fails stops no other, and each outcome is kept with its reason', async () => {
  const store = await open(slugs(8))
  const { github } = store
  delete github.repositories['o/project-001']
  github.fault = ({ path }, response) => {
    if (path.includes('project-002')) response.writeHead(500).end()
    else if (path.includes('project-003')) response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    else if (path.includes('project-004')) response.destroy()
    else return false
    return true
  }
  expect(outcomes(await store.sync())).toEqual({ changed: 4, absent: 1, unreachable: 3 })
  const sources = (await listSources(store.db)).sort((a, b) => a.projectId - b.projectId)
  expect(sources.map(({ outcome, answeredAt }) => [outcome, answeredAt !== null])).toEqual([
    ['changed', true],
    ['absent', false],
    ['unreachable', false],
    ['unreachable', false],
    ['unreachable', false],
    ['changed', true],
    ['changed', true],
    ['changed', true],
  ])
  expect(sources[3]!.reason).toContain('text/html')
  github.fault = () => false
  expect(outcomes(await store.sync())).toEqual({ unchanged: 4, absent: 1, changed: 3 })
})

test('what a source said is asked on from after it failed for a while', async () => {
  const store = await open(slugs(1))
  await store.sync()
  store.github.fault = (_, response) => {
    response.writeHead(500).end()
    return true
  }
  expect(outcomes(await store.sync())).toEqual({ unreachable: 1 })
  store.github.fault = () => false
  expect(outcomes(await store.sync())).toEqual({ unchanged: 1 })
  expect((await listSources(store.db))[0]).toMatchObject({ outcome: 'unchanged', reason: null })
})

test('that a source still answers is written once a week', async () => {
  const store = await open(slugs(1))
  const at = (now: number) => ({ context: { http: openHttp(), now: () => now } })
  const lookedAt = async () => (await listSources(store.db)).map((source) => source.lookedAt)
  await store.sync(at(now))
  await store.sync(at(now + 6 * day))
  expect(await lookedAt()).toEqual([now])
  await store.sync(at(now + 8 * day))
  expect(await lookedAt()).toEqual([now + 8 * day])
})

test('a collector that throws is one source that cannot be reached', async () => {
  const store = await open(slugs(2))
  const git = { collect: () => Promise.reject(new Error('a defect')) }
  const { sources } = await store.sync({ collectors: { git } })
  expect(sources.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['unreachable', 'a defect'],
    ['unreachable', 'a defect'],
  ])
})

test('a limit stops early, tells when to go on, and the next sync begins with what was left', async () => {
  const store = await open(slugs(20).filter((_, i) => i % 10 !== 9))
  store.github.left = { rest: 5 }
  store.github.fault = ({ path }, response) => {
    if (!path.endsWith('git-upload-pack')) return false
    response.writeHead(429, { 'retry-after': '600' }).end()
    return true
  }
  const first = await store.sync({ width: 1 })
  expect(outcomes(first).limited).toBeGreaterThan(10)
  expect(first.sources.find(({ outcome }) => outcome === 'limited')!.retryAt).toBeGreaterThan(Date.now() / 1000 + 500)
  store.github.left = {}
  store.github.fault = () => false
  const second = await store.sync({ width: 1 })
  const known = outcomes(first).changed!
  expect(second.sources.map(({ outcome }) => outcome)).toEqual([
    ...Array(second.total - known).fill('changed'),
    ...Array(known).fill('unchanged'),
  ])
})

test('asked to stop it leaves what is under way, keeps what is done, and goes on from there', async () => {
  const store = await open(slugs(40))
  const interruption = new AbortController()
  const first = await store.sync({
    width: 4,
    signal: interruption.signal,
    onSource: (_, done) => done === 10 && interruption.abort(),
  })
  expect(first.sources.length).toBeLessThan(20)
  expect(await listSources(store.db)).toHaveLength(first.sources.length)
  const second = await store.sync({ width: 1 })
  expect(outcomes(second)).toEqual({ changed: 40 - first.sources.length, unchanged: first.sources.length })
  expect(new Set(second.sources.slice(0, 5).map(({ outcome }) => outcome))).toEqual(new Set(['changed']))
})

test('a dry run says what would be new, and keeps nothing', async () => {
  const store = await open(slugs(12))
  const before = await dump(store.db)
  const { sources } = await store.sync({ isDry: true })
  expect(sources.reduce((sum, { added }) => sum + added, 0)).toBe(12 * 5 + 1)
  expect(await dump(store.db)).toEqual(before)
})

test('a release that was edited or promoted is updated, not doubled', async () => {
  const store = await open(slugs(1))
  await store.sync()
  const [, rc] = store.github.repositories['o/project-000']!.releases!
  Object.assign(rc!, { prerelease: false, tag: 'v0.6.0', notes: '<p>Fixes CVE-2026-12345</p>' })
  const { sources } = await store.sync()
  expect(sources[0]).toMatchObject({ outcome: 'changed', added: 1, updated: 0 })
  Object.assign(rc!, { notes: '<p>Fixes CVE-2026-12345, really</p>' })
  expect((await store.sync()).sources[0]).toMatchObject({ added: 0, updated: 1 })
  const rows = await store.db.selectFrom('release').selectAll().where('version', '=', 'v0.6.0').execute()
  expect(rows).toMatchObject([{ type: 'app', has_security_fix: 1, cve_list: '["CVE-2026-12345"]' }])
})

describe('who follows a project', () => {
  async function openFollowed() {
    const store = await open(slugs(2))
    const { id } = await store.db
      .selectFrom('project')
      .select('id')
      .where('slug', '=', 'project-000')
      .executeTakeFirstOrThrow()
    await store.call('updateAccountSettings', {
      body: { slack_webhook: 'https://hooks.slack.com/services/T0/B0/s3cret', webhook_release_types: 'app,pre' },
    })
    const { subscription_id } = await store.call('toggleSubscription', { body: { product_id: id } })
    const settings = (body: object) => store.call('updateSettings', { body: { subscription_id, ...body } })
    const told = async () => {
      const { logs } = await store.call('getDashboardLogs', { query: { limit: 100 } })
      return logs.map(({ kind, channel, target, name, version, status }) => {
        return [kind, channel, target, name, version, status].join(' ')
      })
    }
    const releases = store.github.repositories['o/project-000']!.releases!
    const publish = (tag: string, given: Partial<FakeRelease> = {}) =>
      releases.unshift({ tag, at: new Date().toISOString(), ...given })
    store.clock.now = Math.floor(Date.now() / 1000)
    return { ...store, settings, told, publish }
  }
  const slack = 'slack https://hooks.slack.com/services/…'

  test('is told of what is out, and of a pre-release that is none any more, once', async () => {
    const { sync, told, publish, github } = await openFollowed()
    await sync()
    expect(await told()).toEqual([])
    publish('v9.0.0', { prerelease: true })
    publish('v8.1.0')
    await sync()
    expect(await told()).toEqual([`release ${slack} project-000 v8.1.0 pending`])
    github.repositories['o/project-000']!.releases!.find(({ tag }) => tag === 'v9.0.0')!.prerelease = false
    const { sources } = await sync()
    expect(sources.find(({ added, updated }) => added + updated > 0)).toMatchObject({ added: 0, updated: 1 })
    await sync()
    expect(await told()).toEqual([
      `promotion ${slack} project-000 v9.0.0 pending`,
      `release ${slack} project-000 v8.1.0 pending`,
    ])
  })

  test('is told when notes name an advisory later, and not of what came out long ago', async () => {
    const { sync, told, publish, github } = await openFollowed()
    publish('v8.0.0')
    await sync()
    publish('v7.9.9', { at: '2020-01-01T00:00:00Z' })
    github.repositories['o/project-000']!.releases!.find(({ tag }) => tag === 'v8.0.0')!.notes = '<p>CVE-2026-12345</p>'
    await sync()
    expect(await told()).toEqual([`security ${slack} project-000 v8.0.0 pending`])
  })

  test('is not told while paused, and of wanted types only', async () => {
    const { sync, told, publish, settings } = await openFollowed()
    await sync()
    await settings({ notifications_paused: true })
    publish('v8.0.0')
    await sync()
    await settings({ notifications_paused: false, webhook_release_types: 'pre,helm' })
    publish('v8.1.0')
    publish('v9.0.0', { prerelease: true })
    await sync()
    expect(await told()).toEqual([`release ${slack} project-000 v9.0.0 pending`])
  })
})

test('projects are named by slug, name or id, each once, and a wrong one is told before anybody is asked', async () => {
  const store = await open(slugs(3))
  const { total } = await store.sync({ projects: ['project-000', 'PROJECT-000', 'project-002'] })
  expect(total).toBe(2)
  expect(await refusalFor(store.sync({ projects: ['project-000', 'nope'] }))).toContain('not_found')
  expect(store.github.asked).toEqual([])
})

test('a project that moved is asked anew at its new address', async () => {
  const store = await open(slugs(2))
  await store.sync()
  await store.db
    .updateTable('project')
    .set({ repo_url: 'https://github.com/o/project-001' })
    .where('slug', '=', 'project-000')
    .execute()
  expect(outcomes(await store.sync({ projects: ['project-000'] }))).toEqual({ changed: 1 })
  expect(store.github.asked[0]!.headers['if-none-match']).toBeUndefined()
})
