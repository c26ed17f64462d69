import { hash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OwnProject } from '../../../src/contract/catalog.ts'
import { exportCatalog, importCatalog } from '../../../src/operations/catalog/file.ts'
import { addOwnProject } from '../../../src/operations/catalog/own-project.ts'
import { signingKeyFor } from '../../../src/operations/catalog/signature.ts'
import { listCatalogProjects } from '../../../src/store/catalog/own-project.ts'
import { listSources, saveSourceCheck } from '../../../src/store/catalog/source.ts'
import { bundledProjects } from '../../helpers/bundled-catalog.ts'
import { project, save } from '../../store/bundled.ts'
import { day, dump, now, openService, refusalFor } from '../service.ts'
import { addFilled, copyCatalog } from './catalog-copy.ts'

/** Knows one project, since importing tens of thousands of releases takes long. */
async function openSmall() {
  const service = await openService()
  await save(service.db, [project('redis')], now)
  return service
}

const openFilled = async () => addFilled(await openSmall())

test('another store says the same after an import, and a second one changes nothing', async () => {
  const tenth = bundledProjects().filter((_, index) => index % 10 === 0)
  const [from, to] = [await openService(), await openService()]
  for (const { db } of [from, to]) await save(db, tenth, now)
  await copyCatalog(from, to, tenth.length)
})

test('the patterns of the bundled catalog are such as a file may have', () => {
  for (const { tag_pattern } of bundledProjects()) {
    expect(OwnProject.safeParse({ name: 'x', tag_pattern }).success).toBe(true)
  }
})

test('the same catalog is the same file', async () => {
  const { db } = await openFilled()
  expect(await exportCatalog(db, now)).toEqual(await exportCatalog(db, now))
})

test('a file tells how old its facts are, and never that they are older or of tomorrow', async () => {
  const [from, to] = [await openFilled(), await openSmall()]
  const toId = async ({ db }: typeof from) =>
    (await db.selectFrom('project').select('id').where('slug', '=', 'redis').executeTakeFirstOrThrow()).id
  const look = async (store: typeof from, at: number) => {
    const looked = { url: 'x', outcome: 'unchanged', reason: null, retryAt: null, state: { etag: '1' } } as const
    await saveSourceCheck(store.db, { ...looked, projectId: await toId(store), kind: 'github' }, at)
  }
  const known = async () => (await listSources(to.db)).map(({ answeredAt, state }) => [answeredAt, state])
  await look(from, now - day)
  const file = await exportCatalog(from.db, now)
  await importCatalog(to.db, file, now)
  expect(await known()).toEqual([[now - day, {}]])
  await look(to, now)
  await importCatalog(to.db, file, now)
  expect(await known()).toEqual([[now, { etag: '1' }]])
  await look(from, now + 9 * day)
  await importCatalog(to.db, await exportCatalog(from.db, now), now + day)
  expect(await known()).toEqual([[now + day, { etag: '1' }]])
})

test('a project that is known keeps its addresses', async () => {
  const from = await openFilled()
  const to = await openSmall()
  await addOwnProject(to.db, OwnProject.parse({ name: 'Shop API', repo_url: 'https://github.com/mine/api' }), now)
  await importCatalog(to.db, await exportCatalog(from.db, now), now)
  const [known] = (await listCatalogProjects(to.db)).filter(({ slug }) => slug === 'shop-api')
  expect(known!.repo_url).toBe('https://github.com/mine/api')
})

describe('a signed file', () => {
  async function openSigned() {
    const { db, vault } = await openFilled()
    const key = signingKeyFor(vault)
    const [header, catalog] = gunzipSync(await exportCatalog(db, now, key))
      .toString('utf8')
      .split('\n')
    return { key, header: JSON.parse(header!), catalog: catalog! }
  }
  const pack = (header: object, catalog: string) => gzipSync(`${JSON.stringify(header)}\n${catalog}\n`)

  test('is imported by who trusts its key, and says who signed it', async () => {
    const { key, header, catalog } = await openSigned()
    const file = pack(header, catalog)
    expect(key.publicKey).toMatch(/^ed25519:[\w-]{43}$/)
    for (const signer of [undefined, key.publicKey]) {
      const { db } = await openSmall()
      expect(await importCatalog(db, file, now, { signer })).toMatchObject({
        projects: { added: 1 },
        signedBy: key.publicKey,
      })
    }
  })

  test('is refused when anything in it was changed', async () => {
    const { key, header, catalog } = await openSigned()
    const { db } = await openSmall()
    const before = await dump(db)
    const changed = catalog.replace('https://github.com/shop/api', 'https://github.com/evil/api')
    expect(changed).not.toBe(catalog)
    const sha256 = hash('sha256', changed)
    const { signature } = header
    const turned = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
    const invalid = 'invalid_json: The file is not imported. Its signature is not valid.'
    const wrong = [
      pack({ ...header, sha256 }, changed),
      pack({ ...header, exported_at: '2026-09-02 12:00:00' }, catalog),
      pack({ ...header, signature: { ...signature, value: turned(signature.value) } }, catalog),
    ]
    for (const file of wrong) {
      for (const signer of [undefined, key.publicKey]) {
        expect(await refusalFor(importCatalog(db, file, now, { signer }))).toBe(invalid)
      }
    }
    const malformed = pack({ ...header, signature: { ...signature, value: '' } }, catalog)
    expect(await refusalFor(importCatalog(db, malformed, now))).toMatch(/^invalid_json/)
    expect(await dump(db)).toEqual(before)
  })

  test('is refused with another signature or none where its key is required', async () => {
    const { key, header, catalog } = await openSigned()
    const { db, vault } = await openSmall()
    const before = await dump(db)
    const own = signingKeyFor(vault)
    expect(own.publicKey).not.toBe(key.publicKey)
    const required = (file: Buffer) => refusalFor(importCatalog(db, file, now, { signer: key.publicKey }))
    const { signature: _, ...unsigned } = header
    expect(await required(pack(unsigned, catalog))).toBe('invalid_json: The file is not imported. It is not signed.')
    // Whoever changes the catalog can sign it, but only as somebody else.
    const changed = catalog.replace('https://github.com/shop/api', 'https://github.com/evil/api')
    const named = { ...unsigned, sha256: hash('sha256', changed) }
    expect(await required(pack({ ...named, signature: own.sign(named) }, changed))).toContain(
      'It is signed by ed25519:',
    )
    const disguised = { ...own.sign(named), public_key: key.publicKey }
    expect(await required(pack({ ...named, signature: disguised }, changed))).toContain('signature is not valid')
    expect(await dump(db)).toEqual(before)
  })
})

/** With the hash that belongs to it. */
function fileFor(catalog: unknown, header: object = {}): Buffer {
  const text = JSON.stringify(catalog)
  const first = { format: 'relt-catalog', version: 1, exported_at: '', sha256: hash('sha256', text), ...header }
  return gzipSync(`${JSON.stringify(first)}\n${text}\n`)
}

test.each([
  ['nothing', Buffer.alloc(0)],
  ['no gzip', Buffer.from('{}')],
  ['half of a file', fileFor({ projects: [] }).subarray(0, 60)],
  ['another format', fileFor({ projects: [] }, { format: 'x' })],
  ['a newer version', fileFor({ projects: [] }, { version: 2 })],
  ['another hash', fileFor({ projects: [] }, { sha256: '0'.repeat(64) })],
  ['no catalog', fileFor([])],
  ['a project without a slug', fileFor({ projects: [{ name: 'x', releases: [] }] })],
  ['a slug that is none', fileFor({ projects: [{ name: 'x', slug: '../x', releases: [] }] })],
  ['a script as address', fileFor({ projects: [{ name: 'x', slug: 'x', repo_url: 'javascript:1', releases: [] }] })],
  ['a header without an end', gzipSync('{"format":"relt-catalog"')],
])('%s is refused, and nothing is changed', async (_, file) => {
  const { db } = await openService()
  const before = await dump(db)
  expect(await refusalFor(importCatalog(db, file, now))).toMatch(/^invalid_json: The file is not imported\./)
  expect(await dump(db)).toEqual(before)
})

test('a file that was changed anywhere is refused', async () => {
  const { db } = await openSmall()
  const [header, catalog] = gunzipSync(fileFor({ projects: [{ name: 'x', slug: 'x', releases: [] }] }))
    .toString()
    .split('\n')
  const bytes = Buffer.from(catalog!)
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const changed = Buffer.from(bytes)
      changed[at] = changed[at]! ^ change
      const file = gzipSync(Buffer.concat([Buffer.from(`${header}\n`), changed, Buffer.from('\n')]))
      expect(await refusalFor(importCatalog(db, file, now))).toContain('hash')
    }),
    { numRuns: 50 },
  )
})
