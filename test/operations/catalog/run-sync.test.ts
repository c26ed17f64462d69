import { expect, test } from 'vitest'
import { readCatalogSettings } from '../../../src/config/catalog.ts'
import { runSync } from '../../../src/operations/catalog/run-sync.ts'
import { listSources } from '../../../src/store/catalog/source.ts'
import type { FakeAdvisory } from '../../collectors/github-advisories.ts'
import { type FakeRepository, openGithub } from '../../collectors/github-server.ts'
import { addProjects } from '../../collectors/projects.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { scan } from '../../reports/scan.ts'
import { dump, now, openCatalogService } from '../service.ts'

const [ghsa, cve] = ['GHSA-23cf-45gh-67jm', 'CVE-2026-1111'] as const
const advisory: FakeAdvisory = {
  ghsa,
  cve,
  severity: 'critical',
  summary: 'Anybody may do anything',
  patched: ['>= 1.1.0'],
}
const releases = [
  { tag: 'v1.1.0', at: '2026-08-30T10:00:00Z', notes: '<p>Small things</p>' },
  { tag: 'v1.0.0', at: '2026-08-01T10:00:00Z' },
]

/** A store with the project `x`, and the GitHub that has it. */
async function open(repository: FakeRepository = { releases, advisories: [advisory] }) {
  const github = await openGithub({ 'o/x': repository })
  const service = await openCatalogService()
  await addProjects(service.db, ['x'], now)
  const folder = temporaryFolder()
  const sync = (env: Record<string, string> = {}, isDry = false) => {
    github.asked.length = 0
    const own = {
      RELT_GITHUB_URL: github.url,
      RELT_GITHUB_API_URL: github.url,
      RELT_OSV_URL: 'none',
      RELT_KEV_URL: 'none',
      RELT_CHANNELS_URL: 'none',
    }
    const all = { ...own, RELT_GITHUB_TOKEN: github.token, ...env }
    const settings = readCatalogSettings(all)
    const { signal } = new AbortController()
    const looking = { projects: ['x'], settings, env: all, folder, signal, concurrency: 2, isDry }
    return runSync({ ...service, now: () => now }, looking)
  }
  const security = () =>
    service.db
      .selectFrom('release')
      .innerJoin('project', 'project.id', 'project_id')
      .where('slug', '=', 'x')
      .select(['version', 'has_security_fix', 'security_severity', 'security_summary', 'cve_list', 'cve_links'])
      .orderBy('version', 'desc')
      .execute()
  return { github, ...service, sync, security }
}

const fixed = {
  version: 'v1.1.0',
  has_security_fix: 1,
  security_severity: 'critical',
  security_summary: 'Anybody may do anything',
  cve_list: `["${ghsa}","${cve}"]`,
  cve_links: `["https://github.com/o/r/security/advisories/${ghsa}"]`,
}
const plain = { version: 'v1.0.0', has_security_fix: 0, security_severity: 'none', cve_list: null }

test('a release that an advisory of its project names is a security fix; a second sync changes nothing', async () => {
  const store = await open()
  const { sources } = await store.sync()
  expect(sources.map(({ kind, outcome }) => `${kind} ${outcome}`).toSorted()).toEqual([
    'advisories changed',
    'github changed',
  ])
  expect(await store.security()).toMatchObject([fixed, plain])
  const before = await dump(store.db)
  await store.sync()
  // GraphQL, which says whether the project is archived, knows no conditional requests.
  expect(store.github.asked.map(({ path, status }) => (path === '/graphql' ? path : status))).toEqual([
    304,
    304,
    '/graphql',
  ])
  expect(await dump(store.db)).toEqual(before)
})

test('an advisory may come before its release', async () => {
  const store = await open({ releases: [releases[1]!], advisories: [advisory] })
  await store.sync()
  expect(await store.security()).toMatchObject([plain])
  store.github.repositories['o/x']!.releases = releases
  const { sources } = await store.sync()
  expect(sources.find(({ kind }) => kind === 'github')).toMatchObject({ added: 1, updated: 0 })
  expect(await store.security()).toMatchObject([fixed, plain])
})

test('an advisory may come after its release, and what is edited later takes it not back', async () => {
  const store = await open({ releases, advisories: [] })
  await store.sync()
  store.github.repositories['o/x']!.advisories = [advisory]
  const { sources } = await store.sync()
  expect(sources.find(({ kind }) => kind === 'advisories')).toMatchObject({
    added: 0,
    updated: 1,
    news: [{ kind: 'security', type: 'app', version: 'v1.1.0' }],
  })
  expect(await store.security()).toMatchObject([fixed, plain])
  store.github.repositories['o/x']!.releases = [{ ...releases[0]!, notes: '<p>Edited</p>' }, releases[1]!]
  expect((await store.sync()).sources.find(({ kind }) => kind === 'github')).toMatchObject({ updated: 1 })
  expect(await store.security()).toMatchObject([fixed, plain])
})

test('an advisory of which a release tells more adds to that', async () => {
  const notes = '<p>Fixes CVE-2026-2222, severity: low</p>'
  const store = await open({ releases: [{ ...releases[0]!, notes }], advisories: [advisory] })
  await store.sync()
  const told = { ...fixed, cve_list: `["CVE-2026-2222","${ghsa}","${cve}"]`, cve_links: expect.stringContaining('nvd') }
  expect(await store.security()).toEqual([told])
  store.github.repositories['o/x']!.releases!.push(releases[1]!)
  const { sources } = await store.sync()
  expect(sources.find(({ kind }) => kind === 'github')).toMatchObject({ added: 1, updated: 0 })
})

test('a release by hand stays as it is', async () => {
  const store = await open({ advisories: [advisory] })
  const { id } = await store.db.selectFrom('project').select('id').where('slug', '=', 'x').executeTakeFirstOrThrow()
  const body = { product_id: id, type: 'app', version: 'v1.1.0', has_security_fix: false, release_notes: 'By hand' }
  await store.call('addRelease', { body })
  await store.sync()
  expect(await store.security()).toMatchObject([{ version: 'v1.1.0', has_security_fix: 0, cve_list: null }])
})

test('an advisory that was withdrawn before its release came fixes nothing', async () => {
  const store = await open({ releases: [releases[1]!], advisories: [advisory] })
  await store.sync()
  store.github.repositories['o/x']!.advisories = [{ ...advisory, withdrawn: true }]
  await store.sync()
  store.github.repositories['o/x']!.releases = releases
  await store.sync()
  expect(await store.security()).toMatchObject([{ version: 'v1.1.0', has_security_fix: 0 }, plain])
})

test('without a token nobody is asked for advisories', async () => {
  const store = await open()
  expect((await store.sync({ RELT_GITHUB_TOKEN: '' })).total).toBe(1)
  expect(new Set(store.github.asked.map(({ path }) => path))).toEqual(new Set(['/o/x.git/git-upload-pack']))
  const own = { RELT_CATALOG_TOKEN_X: store.github.token, RELT_CATALOG_HOSTS_X: 'github.com' }
  expect((await store.sync({ RELT_GITHUB_TOKEN: '', ...own })).total).toBe(2)
})

test('advisories that cannot be had leave releases alone', async () => {
  const store = await open()
  store.github.fault = ({ path }, response) => {
    if (!path.includes('advisories')) return false
    response.writeHead(403).end()
    return true
  }
  await store.sync()
  expect((await listSources(store.db)).map(({ kind, outcome }) => `${kind} ${outcome}`).toSorted()).toEqual([
    'advisories unreachable',
    'github changed',
  ])
  store.github.fault = () => false
  await store.sync()
  expect(await store.security()).toMatchObject([fixed, plain])
})

test('a dry run tells what advisories would change, and keeps nothing', async () => {
  const store = await open({ releases, advisories: [] })
  await store.sync()
  store.github.repositories['o/x']!.advisories = [advisory]
  store.github.reviewed = [advisory]
  const before = await dump(store.db)
  const { sources } = await store.sync({}, true)
  expect(sources.find(({ kind }) => kind === 'advisories')).toMatchObject({ updated: 1 })
  expect(await dump(store.db)).toEqual(before)
})

test.each([ghsa, cve])('where the clusters run without a fix is told by %s', async (id) => {
  const notes = `<p>Fixes ${cve}</p>`
  const store = await open({ releases: [{ ...releases[0]!, notes }, releases[1]!], advisories: [] })
  store.github.reviewed = [advisory]
  await store.db
    .insertInto('project_image')
    .columns(['repository', 'name', 'project_id'])
    .expression((eb) =>
      eb
        .selectFrom('project')
        .select((s) => [s.val('r.example/x').as('repository'), s.val('x').as('name'), 'id'])
        .where('slug', '=', 'x'),
    )
    .execute()
  const image = { fullRef: 'r.example/x:v1.0.0', namespace: 'a', workloadKind: 'Deployment', workloadName: 'w' }
  await store.upload([], { report: { ...scan([], { cluster: 'blue' }), artifacts: { images: [image] } } })
  await store.sync()
  const { items } = await store.call('getImpact', { query: { cve: id } })
  expect(items).toMatchObject([{ cluster_name: 'blue', wanted_version: 'v1.1.0', severity: 'critical' }])
})
