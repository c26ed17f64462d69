import { hash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createEndOfLifeCollector } from '../../../src/collectors/end-of-life/index.ts'
import { OwnProject } from '../../../src/contract/catalog.ts'
import { exportCatalog, importCatalog } from '../../../src/operations/catalog/file.ts'
import { addOwnProject, editOwnProject } from '../../../src/operations/catalog/own-project.ts'
import { statusOfSources } from '../../../src/operations/catalog/status.ts'
import { syncCatalog } from '../../../src/operations/catalog/sync-catalog.ts'
import { openSyncTimes } from '../../../src/operations/catalog/sync-times.ts'
import { saveCycles } from '../../../src/store/catalog/cycle.ts'
import { listSources } from '../../../src/store/catalog/source.ts'
import { openHttp } from '../../collectors/http.ts'
import { openLocalServer, sendJson } from '../../collectors/local-server.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { dump, now, openCatalogService, openService, type TestService } from '../service.ts'

type Products = Record<string, [cycle: string, eolFrom: string | null, isEol: boolean][]>

/** Answers with a tag made of the content. */
async function openEndOfLife(products: Products) {
  const server = await openLocalServer(({ path, headers }, response) => {
    const cycles = products[path.replace('/api/v1/products/', '')]
    if (!cycles) return void response.writeHead(404).end()
    const etag = `"${hash('sha256', JSON.stringify(cycles))}"`
    if (headers['if-none-match'] === etag) return void response.writeHead(304).end()
    const releases = cycles.map(([name, eolFrom, isEol]) => ({ name, eolFrom, isEol, isLts: false }))
    sendJson(response, { result: { releases } }, { etag })
  })
  return { ...server, products }
}

async function open(products: Products, openStore = openCatalogService) {
  const host = await openEndOfLife(products)
  const service = await openStore()
  const sync = (projects: string[], isDry = false) => syncEnds(service, host.url, { projects, isDry })
  return { ...service, host, sync }
}

const noNotes = () => openSyncTimes(temporaryFolder())

/** One sync that reads release cycles alone. */
async function syncEnds({ db, vault }: TestService, eolUrl: string, wish: { projects: string[]; isDry: boolean }) {
  const { signal } = new AbortController()
  const context = { http: openHttp(), now: () => now }
  const means = {
    context,
    githubHosts: [],
    eolUrl,
    notes: noNotes(),
    vault: async () => vault,
    credentialFor: async () => undefined,
    signal,
  }
  const { sources } = await syncCatalog(
    db,
    { ...means, collectors: { eol: createEndOfLifeCollector() } },
    { width: 4, ...wish },
  )
  return sources
    .filter(({ kind }) => kind === 'eol')
    .map(({ slug, outcome }) => `${slug} ${outcome}`)
    .sort()
}

const own = (fields: object) =>
  OwnProject.parse({ name: 'Ledger', image_repositories: ['r.example/ledger'], ...fields })
const toCycles = async ({ db }: Pick<TestService, 'db'>) =>
  (await db.selectFrom('cycle').select(['cycle', 'eol', 'lts']).execute())
    .map((row) => Object.values(row).join(' '))
    .sort()

/** The release cycles that freshness tells of. */
async function endsOf({ upload, call }: TestService, images: string[], query = {}) {
  const artifacts = { images: images.map((fullRef) => ({ fullRef, namespace: 'shop' })) }
  const { run_id } = await upload([], { body: { artifacts } })
  const { items } = await call('reportFreshness', { params: { run_id }, query })
  return Object.fromEntries(items.map(({ display_name, eol }) => [display_name, eol]))
}

describe('a sync', () => {
  test('keeps release cycles; a second one asks conditionally and changes nothing', async () => {
    const store = await open({
      'alpine-linux': [
        ['3.22', '2027-05-01', false],
        ['3.14', null, true],
      ],
    })
    expect(await store.sync(['alpine', 'argo-cd'])).toEqual(['alpine changed', 'argo-cd absent'])
    expect(await toCycles(store)).toEqual(['3.14 true false', '3.22 2027-05-01 false'])
    const { source: _, ...before } = await dump(store.db)
    const states = async () =>
      (await listSources(store.db)).map(({ state, changedAt }) => `${state} ${changedAt}`).sort()
    const known = await states()
    store.host.asked.length = 0
    expect(await store.sync(['alpine'])).toEqual(['alpine unchanged'])
    expect(store.host.asked.map(({ path, status }) => `${status} ${path}`)).toEqual([
      '304 /api/v1/products/alpine-linux',
    ])
    const { source: __, ...after } = await dump(store.db)
    expect([after, await states()]).toEqual([before, known])
  })

  test('takes cycles away that are told of no more, and keeps all where there is no answer', async () => {
    const store = await open({
      nginx: [
        ['1.31', null, false],
        ['1.30', null, false],
      ],
    })
    await store.sync(['nginx'])
    store.host.products.nginx = [['1.31', '2027-01-01', false]]
    expect(await store.sync(['nginx'])).toEqual(['nginx changed'])
    delete store.host.products.nginx
    expect(await store.sync(['nginx'])).toEqual(['nginx absent'])
    expect(await toCycles(store)).toEqual(['1.31 2027-01-01 false'])
  })

  test('keeps nothing when it is dry', async () => {
    const store = await open({ nginx: [['1.31', null, false]] })
    expect(await store.sync(['nginx'], true)).toEqual(['nginx changed'])
    expect(await toCycles(store)).toEqual([])
    expect(await listSources(store.db)).toEqual([])
  })
})

describe('the sources of a project', () => {
  const toKinds = async ({ db }: TestService, project: string, eolUrl: string | undefined) =>
    (await statusOfSources(db, { projects: [project], githubHosts: [], eolUrl, notes: noNotes() })).map(
      ({ kind, url }) => `${kind} ${url}`,
    )

  test('have the page of endoflife.date that is its own, unless nobody is to be asked', async () => {
    const store = await open({})
    const url = 'https://endoflife.date'
    expect(await toKinds(store, 'golang', url)).toContain(`eol ${url}/go`)
    expect(await toKinds(store, 'kubernetes', url)).toContain(`eol ${url}/kubernetes`)
    expect((await toKinds(store, 'helm', url)).join()).not.toContain('eol')
    expect((await toKinds(store, 'golang', undefined)).join()).not.toContain('eol')
  })

  test('of ones own are as it says, and what another product said is forgotten', async () => {
    const store = await open({ ledger: [['2', null, true]], books: [['2', '2030-01-01', false]] })
    await addOwnProject(store.db, own({ eol_product: 'ledger' }), now)
    expect(await store.sync(['ledger'])).toEqual(['ledger changed'])
    const ended = { cycle: '2', date: null, is_eol: true, is_lts: false }
    expect(await endsOf(store, ['r.example/ledger:2.4.0'])).toMatchObject({ 'r.example/ledger:2.4.0': ended })
    await editOwnProject(store.db, 'ledger', own({ eol_product: 'books' }), now)
    await editOwnProject(store.db, 'ledger', own({ eol_product: 'ledger' }), now)
    expect(await toCycles(store)).toEqual([])
    expect(await store.sync(['ledger'])).toEqual(['ledger changed'])
  })
})

describe('freshness', () => {
  test('tells of fetched cycles before bundled ones', async () => {
    const store = await open({
      nginx: [
        ['1.27', '2030-01-01', false],
        ['1.31', null, true],
      ],
    })
    const images = ['nginx:1.27.3', 'nginx:1.31.4', 'nginx:1.26.3', 'nginx:latest']
    const bundled = await endsOf(store, images)
    expect(bundled['nginx:1.27.3']).toEqual({ cycle: '1.27', date: '2025-06-24', is_eol: true, is_lts: false })
    expect(bundled['nginx:1.31.4']).toEqual({ cycle: '1.31', date: null, is_eol: false, is_lts: false })
    await store.sync(['nginx'])
    const fetched = await endsOf(store, images)
    expect(fetched['nginx:1.27.3']).toEqual({ cycle: '1.27', date: '2030-01-01', is_eol: false, is_lts: false })
    expect(fetched['nginx:1.31.4']).toEqual({ cycle: '1.31', date: null, is_eol: true, is_lts: false })
    expect(fetched['nginx:1.26.3']).toEqual(bundled['nginx:1.26.3'])
    expect(fetched['nginx:latest']).toBeUndefined()
  })
})

describe('a file', () => {
  async function filled() {
    const store = await open({}, openService)
    const { id } = await addOwnProject(store.db, own({ eol_product: 'ledger' }), now)
    await saveCycles(store.db, id, [
      { cycle: '2', eol: true, lts: false },
      { cycle: '3.10', eol: '2030-01-01', lts: '2027-01-01' },
    ])
    return store
  }

  test('takes cycles elsewhere, and a second time changes nothing', async () => {
    const file = await exportCatalog((await filled()).db, now)
    const to = await open({}, openService)
    await importCatalog(to.db, file, now)
    expect(await toCycles(to)).toEqual(['2 true false', '3.10 2030-01-01 2027-01-01'])
    const before = await dump(to.db)
    await importCatalog(to.db, file, now + 1)
    expect(await dump(to.db)).toEqual(before)
  })

  test('does not replace what was fetched', async () => {
    const file = await exportCatalog((await filled()).db, now)
    const to = await open({ ledger: [['2', '2031-01-01', false]] }, openService)
    await addOwnProject(to.db, own({ eol_product: 'ledger' }), now)
    await to.sync(['ledger'])
    await importCatalog(to.db, file, now)
    expect(await toCycles(to)).toEqual(['2 2031-01-01 false'])
  })

  test('of before is still read', async () => {
    const to = await open({}, openService)
    await importCatalog(
      to.db,
      changed(await exportCatalog((await filled()).db, now), () => undefined),
      now,
    )
    expect(await toCycles(to)).toEqual([])
  })

  test.each([
    ['a word for a cycle', [{ cycle: 'rolling', eol: true, lts: false }]],
    ['a day that does not exist', [{ cycle: '1', eol: '2026-02-30', lts: false }]],
    ['no list', { length: 1 }],
  ])('with %s is refused', async (_, cycles) => {
    const to = await open({}, openService)
    const file = changed(await exportCatalog((await filled()).db, now), () => cycles)
    await expect(importCatalog(to.db, file, now)).rejects.toMatchObject({ code: 'invalid_json' })
  })
})

/** The same file with other cycles in each project. */
function changed(file: Uint8Array, cyclesFor: () => unknown): Buffer {
  const [header = '', catalog = ''] = gunzipSync(file).toString().split('\n')
  const { projects } = JSON.parse(catalog) as { projects: object[] }
  const next = JSON.stringify({ projects: projects.map((project) => ({ ...project, cycles: cyclesFor() })) })
  return gzipSync(`${JSON.stringify({ ...JSON.parse(header), sha256: hash('sha256', next) })}\n${next}\n`)
}
