import { expect, test } from 'vitest'
import { builtIn } from '../../../src/catalog/bundle.ts'
import { sourcesFor } from '../../../src/operations/catalog/source.ts'
import { listSources, saveSourceCheck, type TrackedProject } from '../../../src/store/catalog/source.ts'
import { addProjects } from '../../collectors/projects.ts'
import { now, openService } from '../service.ts'

const project = { slug: 'shop', tagPattern: null, chartNames: [], helmChartRepo: null, eolProduct: null }

test.each([
  ['https://github.com/o/r', false, ['git']],
  ['https://github.com/o/r', true, ['github', 'advisories']],
  ['https://ghe.example/o/r', false, ['git']],
  ['https://ghe.example/o/r', true, ['github', 'advisories']],
  ['https://gitlab.com/group/sub/r', false, ['git']],
  ['https://gitlab.com/group/sub/r', true, ['git']],
  ['https://git.example/o/r.git', false, ['git']],
  ['https://github.com/o', false, []],
  ['https://shop.example/', false, []],
  ['', false, []],
])('%s (with a token: %s) is read as %j', (repoUrl, hasToken, kinds) => {
  const hosts = { githubHosts: ['ghe.example'], hasToken: () => hasToken }
  const sources = sourcesFor({ ...project, repoUrl } as unknown as TrackedProject, hosts, builtIn)
  expect(sources.map(({ kind }) => kind)).toEqual(kinds)
  expect(sources.every(({ url }) => url === repoUrl)).toBe(true)
})

test('with a token, the source without one is forgotten, and the other way round', async () => {
  const { db } = await openService()
  await addProjects(db, ['x'], now)
  const { id: projectId } = await db
    .selectFrom('project')
    .select('id')
    .where('slug', '=', 'x')
    .executeTakeFirstOrThrow()
  const look = {
    projectId,
    url: 'https://github.com/o/x',
    outcome: 'unreachable',
    reason: null,
    retryAt: null,
  } as const
  const kinds = async () => (await listSources(db)).map(({ kind }) => kind).toSorted()
  for (const kind of ['helm', 'git', 'advisories'] as const) await saveSourceCheck(db, { ...look, kind }, now)
  expect(await kinds()).toEqual(['advisories', 'git', 'helm'])
  await saveSourceCheck(db, { ...look, kind: 'github' }, now)
  expect(await kinds()).toEqual(['advisories', 'github', 'helm'])
  await saveSourceCheck(db, { ...look, kind: 'git' }, now)
  expect(await kinds()).toEqual(['advisories', 'git', 'helm'])
})

test('a package that a project names is read in place of its repository', () => {
  const repoUrl = 'https://github.com/pgadmin-org/pgadmin4'
  const hosts = { githubHosts: [], hasToken: () => true, registryMirrors: { 'pypi.org': 'https://mirror.example' } }
  const sources = sourcesFor({ ...project, slug: 'pgadmin4', repoUrl } as unknown as TrackedProject, hosts, builtIn)
  expect(sources.map(({ kind, url }) => [kind, url])).toEqual([
    ['pypi', 'https://mirror.example/pypi/pgadmin4/json'],
    ['advisories', repoUrl],
  ])
})
