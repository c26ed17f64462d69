import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtIn } from '../../src/catalog/bundle.ts'
import { findReleasePackage } from '../../src/catalog/packages.ts'
import type { CollectOutcome } from '../../src/collectors/collector.ts'
import { createPackageCollector } from '../../src/collectors/packages/index.ts'
import type { SourceState } from '../../src/collectors/source-state.ts'
import { type PackageSource, packageSources } from '../../src/contract/source-kind.ts'
import { openHttp } from './http.ts'
import { openLocalServer } from './local-server.ts'

const now = Date.UTC(2026, 10, 30) / 1000
const types = { npm: 'application/json', pypi: 'application/json', maven: 'text/html' }

/** A registry that answers with this body, and "not modified" while it stays. */
async function open(kind: PackageSource, body: string, type = types[kind]) {
  const shown = { body, hasEtag: true }
  const server = await openLocalServer(({ headers }, response) => {
    const etag = `"${hash('sha256', shown.body)}"`
    if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    response.writeHead(200, { 'content-type': type, ...(shown.hasEtag && { etag }) }).end(shown.body)
  })
  const source = { kind, url: `${server.url}/shop`, slug: 'shop', tagPattern: 'x-(.*)', chartNames: [] }
  const collect = (state: SourceState = {}, since?: number): Promise<CollectOutcome> =>
    createPackageCollector(kind).collect(source, state, { http: openHttp(), now: () => now, since })
  return { ...server, shown, collect }
}

const file = (at: string, yanked = false) => [{ upload_time_iso_8601: at, yanked, filename: 'x' }]

const bodies: Record<PackageSource, string> = {
  npm: JSON.stringify({
    name: 'shop',
    time: {
      created: '2020-01-01T00:00:00.000Z',
      '1.0.0': '2026-08-01T10:00:00.000Z',
      '1.1.0': '2026-09-01T10:00:00.000Z',
      '1.2.0': '2026-09-02T10:00:00.000Z',
      '1.2.1': '2026-09-03T10:00:00.000Z',
      '2.0.0-rc.1': '2026-09-04T10:00:00.000Z',
    },
    versions: { '1.0.0': {}, '1.1.0': {}, '1.2.0': { deprecated: 'Do not use' }, '2.0.0-rc.1': {} },
  }),
  pypi: JSON.stringify({
    releases: {
      '1.0.0': file('2026-08-01T10:00:00.123456Z'),
      '1.1.0': file('2026-09-01T10:00:00Z'),
      '1.2.0': file('2026-09-02T10:00:00Z', true),
      '1.2.1': [],
      '2.0.0rc1': file('2026-09-04T10:00:00Z'),
    },
  }),
  maven: `<!DOCTYPE html><pre id="contents"><a href="../">../</a>
<a href="1.0.0/" title="1.0.0/">1.0.0/</a>                 2026-08-01 10:00         -
<a href="1.1.0/" title="1.1.0/">1.1.0/</a>                 2026-09-01 10:00         -
<a href="2.0.0-RC1/" title="2.0.0-RC1/">2.0.0-RC1/</a>     2026-09-04 10:00         -
<a href="maven-metadata.xml" title="maven-metadata.xml">maven-metadata.xml</a>  2026-09-04 10:00   1200
</pre>`,
}

describe.each(packageSources)('%s', (kind) => {
  test('reads versions with their times, without withdrawn ones', async () => {
    const { collect } = await open(kind, bodies[kind])
    const outcome = await collect()
    expect(outcome).toMatchObject({
      kind: 'changed',
      isWhole: true,
      releases: [
        { type: 'pre' },
        { type: 'app', version: '1.1.0', publishedAt: Date.UTC(2026, 8, 1, 10) / 1000, isRough: true },
        { type: 'app', version: '1.0.0', publishedAt: Date.UTC(2026, 7, 1, 10) / 1000 },
      ],
    })
    expect(outcome.kind === 'changed' && outcome.releases).toHaveLength(3)
  })

  test('is unchanged by a 304, and by another answer with the same versions', async () => {
    const { asked, shown, collect } = await open(kind, bodies[kind])
    const { state } = (await collect()) as Extract<CollectOutcome, { kind: 'changed' }>
    expect(await collect(state)).toEqual({ kind: 'unchanged', state })
    shown.body += ' '
    expect(await collect(state)).toMatchObject({ kind: 'unchanged' })
    expect(asked.map(({ status }) => status)).toEqual([200, 304, 200])
    expect((await collect(state, Date.UTC(2026, 8, 1) / 1000)).kind).toBe('changed')
  })

  test.each(['', '{}', '[]', 'null', '<html></html>', '{"versions":1}', '{"releases":{"1.0":[{}]}}'])(
    'an answer of %j is unreachable',
    async (body) => {
      expect(await (await open(kind, body)).collect()).toMatchObject({ kind: 'unreachable' })
    },
  )

  test('a page of another kind is unreachable', async () => {
    expect(await (await open(kind, bodies[kind], 'text/plain')).collect()).toMatchObject({ kind: 'unreachable' })
  })

  test('no body makes more of a look than an outcome', async () => {
    const { shown, collect } = await open(kind, '')
    const name = fc.constantFrom('1.0.0', '__proto__', 'constructor', 'toString', '../1.0', '1.0\u0007')
    const value = fc.oneof(fc.string(), fc.jsonValue(), fc.constant('2026-09-01T00:00:00Z'))
    const members = fc.array(fc.tuple(name, value)).map((pairs) => `{${pairs.map(toMember).join(',')}}`)
    const body = fc.oneof(
      fc.string(),
      fc
        .tuple(members, members)
        .map(([time, versions]) => `{"time":${time},"versions":${versions},"releases":${time}}`),
    )
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        shown.body = text
        expect(['changed', 'unreachable']).toContain((await collect()).kind)
      }),
      { numRuns: 100 },
    )
  })
})

const toMember = ([name, value]: [string, unknown]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`

test('a package has an address, which may be that of a mirror', () => {
  expect(findReleasePackage(builtIn, 'apache-solr')).toEqual({
    kind: 'maven',
    url: 'https://repo1.maven.org/maven2/org/apache/solr/solr-core/',
  })
  expect(findReleasePackage(builtIn, 'pgadmin4', { 'pypi.org': 'https://mirror.example/python' })).toEqual({
    kind: 'pypi',
    url: 'https://mirror.example/python/pypi/pgadmin4/json',
  })
  expect(findReleasePackage(builtIn, 'argo-cd')).toBeUndefined()
  expect(findReleasePackage(builtIn, 'constructor')).toBeUndefined()
})
