import { expect, test } from 'vitest'
import type { Db } from '../../../src/db/open.ts'
import { findKnownProjects, getProject, listProjects } from '../../../src/store/catalog/project.ts'
import { dump } from '../../operations/service.ts'
import { addForeignProject, addForeignRelease, project, release, save, storeWith, toId } from '../bundled.ts'

async function toNames(db: Db, slug: string) {
  const [found] = await findKnownProjects(db, { repositories: [], names: [slug] })
  return [found!.imageRepositories, found!.chartNames]
}

const older = [
  project('argo-cd', {
    name: 'Argo',
    description: 'old words',
    image_repositories: ['old/argocd', 'quay.io/argoproj/argocd'],
    helm_chart_names: ['argocd'],
    releases: [release('v1.0.0', '2025-01-01'), release('v0.9.0', '2024-01-01')],
  }),
  project('gone', { image_repositories: ['a/gone'], releases: [release('v1.0.0', '2025-01-01')] }),
]

const newer = [
  project('argo-cd', {
    name: 'Argo CD',
    description: 'new words',
    docs_url: 'https://docs.example',
    image_repositories: ['quay.io/argoproj/argocd'],
    helm_chart_names: ['argo-cd'],
    tag_pattern: '^v(\\d.*)$',
    releases: [
      release('v2.0.0', '2026-01-01'),
      release('v1.0.0', '2025-01-02', { url: 'https://new.example' }),
      release('v2.1.0-rc1', '2026-02-01', { type: 'pre' }),
    ],
  }),
  project('nginx'),
]

test('a newer catalog updates what an older one brought, adds what is new and removes no project or release', async () => {
  const db = await storeWith(older, 100)
  const [argo, gone] = [await toId(db, 'argo-cd'), await toId(db, 'gone')]
  await save(db, newer, 200)

  expect((await listProjects(db, { page: 1, perPage: 10 })).items).toMatchObject([
    { id: argo, name: 'Argo CD', description: 'new words', docs_url: 'https://docs.example', latest_version: 'v2.0.0' },
    { id: gone, name: 'gone', latest_version: 'v1.0.0', updated_at: '1970-01-01 00:01:40' },
    { name: 'nginx', latest_version: null, latest_published_at: null },
  ])
  const releases = await db.selectFrom('release').select(['project_id', 'version', 'url', 'published_at']).execute()
  expect(
    releases.map((row) => `${row.project_id === argo ? 'argo-cd' : 'gone'} ${row.version} ${row.url}`).sort(),
  ).toEqual([
    'argo-cd v0.9.0 https://releases.example/v0.9.0',
    'argo-cd v1.0.0 https://new.example',
    'argo-cd v2.0.0 https://releases.example/v2.0.0',
    'argo-cd v2.1.0-rc1 https://releases.example/v2.1.0-rc1',
    'gone v1.0.0 https://releases.example/v1.0.0',
  ])
  const changed = releases.find((row) => row.url === 'https://new.example')
  expect(changed?.published_at).toBe(Date.UTC(2025, 0, 2) / 1000)
  expect(await toNames(db, 'argo-cd')).toEqual([['quay.io/argoproj/argocd'], ['argo-cd']])
  expect(await toNames(db, 'gone')).toEqual([['a/gone'], []])
  expect(await findKnownProjects(db, { repositories: ['old/argocd'], names: ['old'] })).toEqual([])
})

test('the same catalog again changes nothing but the time of the update', async () => {
  const db = await storeWith(newer, 100)
  const before = await dump(db)
  await save(db, newer, 100)
  expect(await dump(db)).toEqual(before)
})

test('projects and releases from elsewhere stay as they are', async () => {
  const db = await storeWith(older, 100)
  const argo = await toId(db, 'argo-cd')
  const nginx = await addForeignProject(db, 'nginx', { name: 'Our NGINX' })
  await addForeignRelease(db, argo, 'v2.0.0')
  await addForeignRelease(db, nginx, '1.27.3')
  await db.insertInto('project_image').values({ repository: 'ours/nginx', name: 'nginx', project_id: nginx }).execute()
  const foreign = async () => ({
    projects: await db.selectFrom('project').selectAll().where('origin', '=', 'user').execute(),
    releases: await db.selectFrom('release').selectAll().where('origin', '=', 'user').execute(),
    names: await toNames(db, 'nginx'),
  })
  const before = await foreign()
  await save(
    db,
    [...newer.slice(0, 1), project('nginx', { image_repositories: ['a/b'], releases: [release('2', '2026-01-01')] })],
    200,
  )
  expect(await foreign()).toEqual(before)
  expect(await getProject(db, nginx)).toMatchObject({ name: 'Our NGINX', description: 'ours', cncf_status: 'sandbox' })
  expect(await db.selectFrom('release').select('version').where('project_id', '=', nginx).execute()).toEqual([
    { version: '1.27.3' },
  ])
})

test('a newer release from elsewhere stays the latest of its project', async () => {
  const db = await storeWith(older, 100)
  const argo = await toId(db, 'argo-cd')
  await addForeignRelease(db, argo, 'v9.0.0')
  await db
    .updateTable('project')
    .set({ latest_version: 'v9.0.0', latest_published_at: 5 })
    .where('id', '=', argo)
    .execute()
  await save(db, newer, 200)
  expect((await listProjects(db, { page: 1, perPage: 1 })).items[0]).toMatchObject({
    name: 'Argo CD',
    latest_version: 'v9.0.0',
  })
})
