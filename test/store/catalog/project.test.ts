import { describe, expect, test } from 'vitest'
import type { Db } from '../../../src/db/open.ts'
import { countProjects, findKnownProjects, getProject, listProjects } from '../../../src/store/catalog/project.ts'
import { addForeignProject, project, release, storeWith, toId } from '../bundled.ts'

const search = async (db: Db, text: string, more = {}) =>
  (await listProjects(db, { search: text, page: 1, perPage: 100, ...more })).items.map((found) => found.name)

describe('listProjects', () => {
  test('ranks the name itself before its beginning, a word, a part and the rest', async () => {
    const db = await storeWith([
      project('z1', { name: 'Pipelines', description: 'Works with Argo' }),
      project('z2', { name: 'Images', category: 'Argo' }),
      project('z3', { name: 'Builds', repo_url: 'https://github.com/argoproj/builds' }),
      project('z4', { name: 'Cargo' }),
      project('z5', { name: 'The Argo Book' }),
      project('old-argo-book', { name: 'Zeppelin' }),
      project('z6', { name: 'argo workflows' }),
      project('argo-b', { name: 'Yacht' }),
      project('z7', { name: 'ARGO' }),
      project('argo', { name: 'Xenon' }),
      project('z8', { name: 'Unrelated' }),
    ])
    expect(await search(db, 'argo')).toEqual([
      'ARGO',
      'Xenon',
      'argo workflows',
      'Yacht',
      'The Argo Book',
      'Zeppelin',
      'Cargo',
      'Builds',
      'Images',
      'Pipelines',
    ])
    expect(await search(db, 'ARGO')).toEqual(await search(db, 'argo'))
    expect(await search(db, 'nothing of the kind')).toEqual([])
  })

  test.each([
    ['%', ['100% Go']],
    ['0%', ['100% Go']],
    ['_', ['snake_case']],
    ['e_c', ['snake_case']],
    ['\\', ['back\\slash']],
    ['k\\s', ['back\\slash']],
    ["'", ["it's"]],
    ['"', ['a "word"']],
    ['nake%ase', []],
    ['a%', []],
    ['__________', []],
  ])('takes %s literally', async (text, names) => {
    const db = await storeWith([
      project('p1', { name: '100% Go' }),
      project('p2', { name: 'snake_case' }),
      project('p3', { name: 'snakeXcase' }),
      project('p4', { name: 'back\\slash' }),
      project('p5', { name: "it's" }),
      project('p6', { name: 'a "word"' }),
    ])
    expect(await search(db, text)).toEqual(names)
  })

  test('keeps to a status', async () => {
    const db = await storeWith([
      project('a', { cncf_status: 'graduated' }),
      project('b', { cncf_status: 'sandbox', description: 'like no other' }),
      project('c', { cncf_status: 'graduated', description: 'like any other' }),
    ])
    const of = async (filter: object) =>
      (await listProjects(db, { page: 1, perPage: 10, ...filter })).items.map((p) => p.name)
    expect(await of({ cncfStatus: 'graduated' })).toEqual(['a', 'c'])
    expect(await of({ cncfStatus: 'graduated', search: 'like' })).toEqual(['c'])
    expect(await of({ cncfStatus: 'incubating' })).toEqual([])
  })

  test('orders by name without regard to case, and gives pages that neither miss nor repeat', async () => {
    const db = await storeWith(['b', 'C', 'a', 'B', 'c', 'A', 'd'].map((name, i) => project(`p${i}`, { name })))
    const page = (page: number, perPage = 3) => listProjects(db, { page, perPage })
    const pages = [await page(1), await page(2), await page(3), await page(4)]
    expect(pages.map(({ items }) => items.map((found) => found.name.toLowerCase()).join(''))).toEqual([
      'aab',
      'bcc',
      'd',
      '',
    ])
    expect(new Set(pages.flatMap(({ items }) => items.map((found) => found.id))).size).toBe(7)
    expect(pages.map(({ items: _, ...rest }) => rest)).toEqual(
      [1, 2, 3, 4].map((page) => ({ page, per_page: 3, total: 7, total_pages: 3 })),
    )
    expect(await page(1, 7)).toMatchObject({ total_pages: 1 })
    expect(await listProjects(db, { page: 1, perPage: 3, search: 'none' })).toMatchObject({
      total: 0,
      total_pages: 0,
      items: [],
    })
  })
})

test('getProject gives every field, or says that there is none', async () => {
  const db = await storeWith([
    project('argo-cd', {
      name: 'Argo CD',
      releases: [release('v1.0.0', '2026-01-01'), release('v1.1.0', '2025-12-01')],
    }),
  ])
  const id = await toId(db, 'argo-cd')
  expect(await getProject(db, id)).toEqual({
    id,
    name: 'Argo CD',
    description: '',
    category: 'Platform',
    cncf_status: 'open-source',
    homepage: '',
    slug: 'argo-cd',
    docs_url: null,
    repo_url: '',
    helm_chart_repo: null,
    logo_url: null,
  })
  expect((await listProjects(db, { page: 1, perPage: 1 })).items[0]).toMatchObject({
    latest_version: 'v1.1.0',
    latest_published_at: '2025-12-01 00:00:00',
    updated_at: '2023-11-14 22:13:20',
  })
  await expect(getProject(db, id + 1)).rejects.toMatchObject({ code: 'not_found' })
  expect(await countProjects(db)).toBe(1)
})

test('findKnownProjects finds by repository, chart and slug, each project once', async () => {
  const db = await storeWith([
    project('argo-cd', { image_repositories: ['quay.io/argoproj/argocd', 'a/b'], helm_chart_names: ['argo-cd'] }),
    project('nginx', { image_repositories: ['docker.io/library/nginx'], tag_pattern: '^v(.*)$' }),
    project('loki', { helm_chart_names: ['loki', 'loki-stack'] }),
    project('other'),
  ])
  await addForeignProject(db, 'ours')
  const find = async (repositories: string[], names: string[]) =>
    (await findKnownProjects(db, { repositories, names })).map((found) => found.slug)
  expect(await find([], [])).toEqual([])
  expect(await find(['quay.io/argoproj/argocd', 'a/b'], ['argo-cd'])).toEqual(['argo-cd'])
  expect(await find(['docker.io/library/nginx'], ['loki-stack', 'ours'])).toEqual(['nginx', 'loki', 'ours'])
  expect(await find(['elsewhere.example/argoproj/argocd'], ['argocd'])).toEqual(['argo-cd'])
  expect(await find(['QUAY.IO/argoproj/argocd', "'", '%'], ['oth_r', 'quay.io/argoproj/argocd'])).toEqual([])
  expect(await findKnownProjects(db, { repositories: [], names: ['argo-cd'] })).toMatchObject([
    { imageRepositories: ['a/b', 'quay.io/argoproj/argocd'], chartNames: ['argo-cd'], tagPattern: null },
  ])
})
