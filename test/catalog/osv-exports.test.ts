import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fetchExports, serveExports } from '../../scripts/catalog/osv-exports.ts'
import { createOsvCollector } from '../../src/collectors/osv-advisories/index.ts'
import type { SourceState } from '../../src/collectors/source-state.ts'
import { openHttp } from '../collectors/http.ts'
import { openLocalServer } from '../collectors/local-server.ts'
import { makeZip } from '../helpers/zip.ts'

const shop = { ecosystem: 'Go', name: 'example.com/shop' }
const image = { ecosystem: 'Bitnami', name: 'shop' }

function toFile(id: string, ...packages: (typeof shop)[]) {
  const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.3' }] }]
  const record = { id, modified: '2026-01-01T00:00:00Z', affected: packages.map((of) => ({ package: of, ranges })) }
  return { name: `${id}.json`, content: JSON.stringify(record) }
}

const goZip = makeZip([
  toFile('GO-1', shop),
  toFile('GO-2', { ...shop, name: 'example.com/other' }),
  toFile('GO-3', shop, shop),
])
const bitnamiZip = makeZip([toFile('BIT-1', image)])

async function open(zips: Buffer[]) {
  const served = await serveExports(zips)
  onTestFinished(() => served.close())
  const source = {
    kind: 'osv' as const,
    url: served.url,
    slug: 'shop',
    tagPattern: null,
    chartNames: [],
    packages: [shop, image],
  }
  return (state: SourceState) => createOsvCollector().collect(source, state, { http: openHttp(), now: () => 0 })
}

test('answers as OSV: the advisories of each package, and nothing again while nothing is new', async () => {
  const collect = await open([goZip, bitnamiZip])
  const first = await collect({})
  if (first.kind !== 'changed') throw new Error(JSON.stringify(first))
  expect(first.catalogAdvisories!.map(({ id }) => id)).toEqual(['BIT-1', 'GO-1', 'GO-3'])
  expect(await collect(first.state)).toEqual({ kind: 'unchanged', state: first.state })
})

test('knows nothing of other packages and other addresses', async () => {
  const served = await serveExports([goZip])
  onTestFinished(() => served.close())
  const body = JSON.stringify({ package: { ecosystem: 'Go', name: '__proto__' } })
  expect(await (await fetch(`${served.url}/v1/query`, { method: 'POST', body })).json()).toEqual({ vulns: [] })
  expect((await fetch(`${served.url}/v1/vulns/GO-1`)).status).toBe(404)
})

test('refuses an export that is damaged or is no JSON', async () => {
  await expect(serveExports([goZip.subarray(0, -30)])).rejects.toThrow()
  await expect(serveExports([makeZip([{ name: 'GO-1.json', content: '<html>' }])])).rejects.toThrow()
})

test('fetches each export once, and continues an interrupted build with the same', async () => {
  const asked: string[] = []
  const server = await openLocalServer((request, response) => {
    asked.push(request.path)
    const zip = request.path.startsWith('/Go/') ? goZip : bitnamiZip
    response.writeHead(200, { 'content-type': 'application/zip' }).end(zip)
  })
  const folder = mkdtempSync(join(tmpdir(), 'relt-exports-'))
  const http = openHttp()
  expect(await fetchExports(folder, server.url, http)).toEqual([bitnamiZip, goZip])
  expect(await fetchExports(folder, server.url, http)).toEqual([bitnamiZip, goZip])
  expect(asked.toSorted()).toEqual(['/Bitnami/all.zip', '/Go/all.zip'])
})

test('an export that is none is not stored', async () => {
  const server = await openLocalServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  })
  const folder = mkdtempSync(join(tmpdir(), 'relt-exports-'))
  const fetching = () => fetchExports(folder, server.url, openHttp())
  await expect(fetching()).rejects.toThrow('text/html')
  await expect(fetching()).rejects.toThrow('text/html')
})
