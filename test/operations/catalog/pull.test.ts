import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { bundledCatalogDate, bundledCatalogEdition } from '../../../src/catalog/date.ts'
import { databaseFor } from '../../../src/db/kind.ts'
import { findMeta, setMeta } from '../../../src/db/meta.ts'
import { offeringCycles } from '../../../src/lifecycle/offering-cycles.ts'
import { getCatalogDate, restoreProjects } from '../../../src/operations/catalog/bundled.ts'
import { statusOfFacts } from '../../../src/operations/catalog/facts-status.ts'
import { importCatalog } from '../../../src/operations/catalog/file.ts'
import { type PullOptions, pullCatalog } from '../../../src/operations/catalog/pull.ts'
import { openSyncTimes } from '../../../src/operations/catalog/sync-times.ts'
import { findBundle } from '../../../src/operations/facts/bundle.ts'
import { type CatalogAdvisory, isOfRepackager } from '../../../src/security/catalog-advisory.ts'
import { listCatalogAdvisories, saveAdvisoriesFor } from '../../../src/store/catalog/catalog-advisory.ts'
import { deleteProjectsExcept } from '../../../src/store/catalog/project-sync.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { gzipBomb } from '../../helpers/gzip-bomb.ts'
import { copyOf, openMemoryStore } from '../../helpers/memory-store.ts'
import { day, dump, now, openCatalogService, openService, refusalFor, type TestService } from '../service.ts'
import { addFacts, dayBefore, laterBundle, laterDay, newKey, publish, publishArtifact, signed } from './publisher.ts'

const key = newKey()
const { signal } = new AbortController()

const pull = ({ db }: Pick<TestService, 'db'>, options: Partial<PullOptions> = {}) =>
  pullCatalog({ db, now: () => now }, { env: {}, signal, key: key.publicKey, ...options })

const image = (fullRef: string) => ({ fullRef, namespace: 'x', workloadKind: 'Deployment', workloadName: 'w' })
const builtIn = { newest: 'v3.5.1', isRetired: false, range: 'ok', eks: false }
const later = { newest: 'v99.0.0', isRetired: true, range: 'blocked', eks: true }

/** What the service answers about the facts that `addFacts` adds. */
async function answers({ call, upload }: TestService) {
  const images = [image('quay.io/argoproj/argocd:v3.5.1'), image('ghcr.io/kedacore/keda:2.18.3')]
  const { run_id } = await upload([], { body: { artifacts: { images } } })
  const { items } = await call('reportFreshness', { params: { run_id } })
  const of = (slug: string) => items.find(({ source_product_slug }) => source_product_slug === slug)!
  const parts = [{ project_slug: 'rancher', version: '2.14.4' }]
  const check = await call('checkUpgrade', { body: { kubernetes: '1.33', to: '1.35', parts } })
  return {
    newest: of('argo-cd').latest_version,
    isRetired: of('keda').states?.includes('retired'),
    range: check.parts[0]!.needs,
    eks: offeringCycles('eks')!.cycles.some(({ cycle }) => cycle === '1.60'),
  }
}

/** Nothing but the day decides between its ranges and those of another source with the same databases. */
const isReplaceable = ({ id, databases, affected }: CatalogAdvisory) =>
  id.startsWith('CVE-') && !isOfRepackager({ databases }) && affected.every(({ fixed }) => fixed !== null)

describe('a bundle', () => {
  test('that is pulled is what relt knows from then on, also in other processes, and is not fetched twice', async () => {
    const service = await openCatalogService()
    expect(await answers(service)).toEqual(builtIn)
    const published = await publish(await signed(laterBundle(addFacts), key))
    const { address } = published
    const edition = { date: laterDay, edition: 1 }
    expect(await pull(service, { address })).toEqual({ isNew: true, ...edition, signedBy: key.publicKey })
    expect(await answers(service)).toEqual(later)
    expect(await getCatalogDate(service.db, now)).toBe(laterDay)
    const facts = await statusOfFacts(service.db, openSyncTimes(temporaryFolder()))
    expect(facts.find(({ kind }) => kind === 'project')).toMatchObject({ source: 'bundled', as_of: laterDay })

    const db = await openMemoryStore({ copy: await copyOf(service.db) })
    expect(await findBundle(db)).toMatchObject(edition)
    await db.destroy()

    const before = await dump(service.db)
    expect(await pull(service, { address })).toBeUndefined()
    expect(published.asked.map(({ status }) => status)).toEqual([200, 304])
    expect(await dump(service.db)).toEqual(before)
  })

  test('is pulled from a registry that wants a token, once', async () => {
    const service = await openCatalogService()
    const { address, asked } = await publishArtifact(await signed(laterBundle(addFacts), key))
    expect(await pull(service, { address })).toMatchObject({ isNew: true })
    expect(await answers(service)).toEqual(later)
    const paths = () => asked.map(({ path, status }) => `${path.replace(/sha256.*|\?.*/, '')} ${status}`)
    expect(paths()).toEqual([
      '/v2/relt/catalog/manifests/1 401',
      '/token 200',
      '/v2/relt/catalog/manifests/1 200',
      '/v2/relt/catalog/blobs/ 200',
    ])
    expect(await pull(service, { address })).toBeUndefined()
    expect(paths().at(-1)).toBe('/v2/relt/catalog/manifests/1 200')
  })

  test('counts by its day, then by its edition; an older or equal one changes nothing', async () => {
    const service = await openCatalogService()
    const published = await publish(await signed(laterBundle(addFacts, { edition: 2 }), key))
    const { address } = published
    await pull(service, { address })
    const before = await dump(service.db)
    const editions = [
      { date: laterDay, edition: 2 },
      { date: laterDay, edition: 1 },
      { date: dayBefore, edition: 9 },
      { date: bundledCatalogDate, edition: bundledCatalogEdition },
    ]
    for (const edition of editions) {
      published.file = await signed(
        laterBundle(() => {}, edition),
        key,
      )
      expect(await pull(service, { address })).toMatchObject({ isNew: false, date: laterDay, edition: 2 })
    }
    const { meta: _, ...unchanged } = before
    expect(await dump(service.db)).toMatchObject(unchanged)
    expect((await findBundle(service.db)).edition).toBe(2)
    published.file = await signed(
      laterBundle(() => {}, { edition: 3 }),
      key,
    )
    expect(await pull(service, { address })).toMatchObject({ isNew: true, date: laterDay, edition: 3 })
    expect(await answers(service)).toMatchObject({ isRetired: false, range: 'ok' })
  })

  test.each([
    ['between the two days', -1, 'the pulled'],
    ['after it', 2, "OSV's"],
  ])('decides by its own day which ranges of an advisory count: OSV changed it %s', async (_, days, expected) => {
    const service = await openCatalogService()
    const { db } = service
    const known = (await listCatalogAdvisories(db)).entries().find(([, all]) => all.some(isReplaceable))!
    const [projectId, advisory] = [known[0], known[1].find(isReplaceable)!]
    const affected = [{ introduced: '99.0.0', fixed: '99.0.1', last_affected: null }]
    const modified_at = Date.parse(laterDay) / 1000 + days * day
    await saveAdvisoriesFor(db, projectId, 'osv', [{ ...advisory, affected, modified_at }])
    const ranges = async () =>
      (await listCatalogAdvisories(db, [projectId])).get(projectId)!.find(({ id }) => id === advisory.id)!.affected
    expect(await ranges()).toEqual(affected)
    await pull(service, { address: (await publish(await signed(laterBundle(), key))).address })
    expect(await ranges()).toEqual(expected === 'the pulled' ? advisory.affected : affected)
  })

  test('is set aside by a relt with a newer one, and by one that reads another form', async () => {
    const service = await openCatalogService()
    await pull(service, { address: (await publish(await signed(laterBundle(addFacts), key))).address })
    const stored = JSON.parse((await findMeta(service.db, 'catalog_bundle'))!)
    for (const other of [{ date: '2026-01-01' }, { form: 2 }]) {
      await setMeta(service.db, 'catalog_bundle', JSON.stringify({ ...stored, ...other }))
      expect(await findBundle(service.db)).toMatchObject({ date: bundledCatalogDate })
    }
    await setMeta(service.db, 'catalog_date', '2026-01-01')
    expect(await getCatalogDate(service.db, now)).toBe(bundledCatalogDate)
  })

  test('leaves removed projects away, and brings them back from its own facts', async () => {
    const service = await openCatalogService()
    await deleteProjectsExcept(service.db, ['keda'])
    await pull(service, { address: (await publish(await signed(laterBundle(addFacts), key))).address })
    const slugs = async () => (await service.db.selectFrom('project').select('slug').execute()).map(({ slug }) => slug)
    expect(await slugs()).toEqual(['keda'])
    await restoreProjects(service.db, now)
    expect((await slugs()).length).toBeGreaterThan(600)
    expect(await answers(service)).toEqual(later)
  })

  test('that fails midway changes nothing, and is taken the next time', async () => {
    const service = await openCatalogService()
    const { address } = await publish(await signed(laterBundle(addFacts), key))
    const [create, drop] = failing[databaseFor(service.db)]
    await sql.raw(create).execute(service.db)
    const before = await dump(service.db)
    await expect(pull(service, { address })).rejects.toThrow('no')
    expect(await dump(service.db)).toEqual(before)
    expect(await answers(service)).toMatchObject({ isRetired: false, range: 'ok' })
    await sql.raw(drop).execute(service.db)
    expect(await pull(service, { address })).toMatchObject({ isNew: true })
    expect(await answers(service)).toEqual(later)
  })

  test('is imported from a file by who trusts its publisher alone', async () => {
    const file = await signed(laterBundle(addFacts), key)
    const { db } = await openService()
    const trusted = { publisher: key.publicKey }
    const refusals = [
      [{}, 'invalid_json: The file is not imported. relt trusts no publisher of bundles.'],
      [{ publisher: newKey().publicKey }, /It is signed by ed25519:\S+, and not by ed25519:/],
      [{ ...trusted, signer: newKey().publicKey }, /It is signed by ed25519:\S+, and not by ed25519:/],
    ] as const
    for (const [trust, said] of refusals) expect(await refusalFor(importCatalog(db, file, now, trust))).toMatch(said)
    const [header, content] = gunzipSync(file).toString('utf8').split('\n')
    const { signature: _, ...rest } = JSON.parse(header!)
    const unsigned = gzipSync(`${JSON.stringify(rest)}\n${content}\n`)
    expect(await refusalFor(importCatalog(db, unsigned, now, trusted))).toMatch('It is not signed.')
    expect(await importCatalog(db, file, now, trusted)).toMatchObject({ isNew: true })
  })
})

const failing = {
  sqlite: ["create trigger no before insert on release begin select raise(abort, 'no'); end", 'drop trigger no'],
  postgres: [
    `create function no() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger no before insert on release for each row execute function no()`,
    'drop trigger no on release; drop function no()',
  ],
} as const

describe('a pull refuses, and changes nothing:', () => {
  async function refused(file: Uint8Array, options: Partial<PullOptions> = {}) {
    const service = await openService()
    await setMeta(service.db, 'catalog_date', bundledCatalogDate)
    await setMeta(service.db, 'catalog_edition', String(bundledCatalogEdition))
    const before = await dump(service.db)
    const said = await refusalFor(pull(service, { address: (await publish(file)).address, ...options }))
    expect(await dump(service.db)).toEqual(before)
    return said
  }
  const lines = (file: Uint8Array) => gunzipSync(file).toString('utf8').split('\n') as [string, string]

  test('a file that was changed, cut off, or signed with another key', async () => {
    const file = await signed(laterBundle(addFacts), key)
    const [header, content] = lines(file)
    const changed = gzipSync(`${header}\n${content.replace('v99.0.0', 'v98.0.0')}\n`)
    expect(await refused(changed)).toBe(
      'invalid_json: The file is not imported. Its content is not what its hash says.',
    )
    for (const end of [10, file.length / 2, file.length - 1]) {
      expect(await refused(file.subarray(0, end))).toMatch(
        /^invalid_json: The file is not imported. It is not a complete/,
      )
    }
    expect(await refused(await signed(laterBundle(), newKey()))).toMatch(/^invalid_json: .* and not by ed25519:/)
    const { signature: _, ...unsigned } = JSON.parse(header)
    expect(await refused(gzipSync(`${JSON.stringify(unsigned)}\n${content}\n`))).toMatch(
      /^invalid_json: .* It is not signed/,
    )
    expect(await refused(Buffer.from('<html>Sign in</html>'))).toMatch(/^invalid_json: /)
  })

  test('a file that unpacks to more than 64 MiB, and one that is larger than 16 MiB', async () => {
    expect(await refused(gzipBomb(65 * 2 ** 20))).toMatch(/^invalid_json: .* it is too large/)
    expect(await refused(Buffer.alloc(17 * 2 ** 20))).toMatch(/^unreachable: .* larger than 16 MiB/)
  })

  test('facts of another form, even signed', async () => {
    const odd = [
      laterBundle(() => {}, { form: 2 as 1 }),
      laterBundle(() => {}, { date: 'tomorrow' }),
      laterBundle((files) => (files.projects = {})),
      laterBundle((files) => (files.retired = 5)),
    ]
    for (const bundle of odd) expect(await refused(await signed(bundle, key))).toMatch(/^invalid_json: /)
    expect(await refused(await signed(odd[0]!, key))).toMatch('bundle.form: upgrade relt to read it')
  })

  test('to ask without an address, with one of no publisher, or without a key', async () => {
    const service = await openService()
    const [address, none] = [
      'https://x.example/catalog.relt',
      'usage: This relt was built without the key of a publisher.',
    ]
    expect(await refusalFor(pull(service))).toMatch('there is no public one before the first release')
    expect(await refusalFor(pull(service, { address, key: undefined }))).toBe(none)
    for (const wrong of ['catalog.relt', '/tmp/catalog.relt', 'ftp://x.example/x', 'https://me:hunter2@x.example/x']) {
      const said = await refusalFor(pull(service, { address: wrong }))
      expect(said).toBe('usage: A catalog cannot be pulled from this address.')
    }
    expect(await refusalFor(pull(service, { address, key: 'ed25519:short' }))).toMatch(/^usage: /)
  })

  test('an address that has nothing, or does not answer', async () => {
    const service = await openCatalogService()
    const { url } = await publish(Buffer.from(''))
    const registry = (await publishArtifact(Buffer.from(''))).address
    expect(await refusalFor(pull(service, { address: `${registry}0` }))).toMatch(/^not_found: No catalog was pulled: /)
    expect(await refusalFor(pull(service, { address: url.replace(/\d+$/, '1') }))).toMatch(/^unreachable: /)
  })
})
