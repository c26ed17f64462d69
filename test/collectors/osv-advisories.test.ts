import { describe, expect, test } from 'vitest'
import { createOsvCollector } from '../../src/collectors/osv-advisories/index.ts'
import type { OsvRecord } from '../../src/collectors/osv-advisories/schema.ts'
import { toAdvisories } from '../../src/collectors/osv-advisories/to-advisories.ts'
import type { SourceState } from '../../src/collectors/source-state.ts'
import { openHttp } from './http.ts'
import { openLocalServer, sendJson } from './local-server.ts'

const go = { ecosystem: 'Go', name: 'example.com/shop' }
const bitnami = { ecosystem: 'Bitnami', name: 'shop' }

function record(id: string, more: Partial<OsvRecord> & { of?: typeof go; events?: object[] }): OsvRecord {
  const { of = go, events = [{ introduced: '0' }, { fixed: '1.2.3' }], ...rest } = more
  return { id, affected: [{ package: of, ranges: [{ type: 'SEMVER', events }] }], ...rest } as OsvRecord
}

describe('records of OSV', () => {
  test('of one vulnerability are one advisory, with the ranges of a repackager where no other says anything', () => {
    const [advisory, ...more] = toAdvisories('shop', [
      record('GO-2026-1', { aliases: ['CVE-2026-1111', 'GHSA-23cf-45gh-67jm'], published: '2026-02-01T00:00:00Z' }),
      record('BIT-shop-2026-1111', {
        of: bitnami,
        aliases: ['CVE-2026-1111'],
        published: '2026-03-01T00:00:00Z',
        modified: '2026-04-01T00:00:00Z',
        severity: [{ score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
        events: [{ introduced: '1.0.0' }, { fixed: '1.2.3' }, { introduced: '2.0.0' }, { last_affected: '2.1.0' }],
      }),
    ])
    expect(more).toEqual([])
    expect(advisory).toEqual({
      id: 'CVE-2026-1111',
      aliases: ['GO-2026-1', 'GHSA-23cf-45gh-67jm', 'BIT-shop-2026-1111'],
      severity: 'critical',
      score: 9.8,
      published_at: Date.UTC(2026, 1, 1) / 1000,
      is_record_date: true,
      modified_at: Date.UTC(2026, 3, 1) / 1000,
      withdrawn_at: null,
      summary: '',
      databases: ['golang/vulndb', 'bitnami/vulndb'],
      affected: [
        { introduced: '0', fixed: '1.2.3', last_affected: null },
        { introduced: '2.0.0', fixed: null, last_affected: '2.1.0' },
      ],
    })
  })

  test('of databases that are no repackagers have the ranges of all', () => {
    const [advisory] = toAdvisories('shop', [
      record('GO-2026-1', { aliases: ['CVE-2026-1111'] }),
      record('GO-2026-2', { aliases: ['CVE-2026-1111'], events: [{ introduced: '1.0.0' }, { fixed: '1.2.5' }] }),
    ])
    expect(advisory!.affected.map(({ fixed }) => fixed)).toEqual(['1.2.3', '1.2.5'])
  })

  test('stand at each CVE that they name', () => {
    const found = toAdvisories('shop', [record('GO-2026-1', { aliases: ['CVE-2026-1111', 'CVE-2026-2222'] })])
    expect(found.map(({ id, aliases }) => [id, aliases])).toEqual([
      ['CVE-2026-1111', ['GO-2026-1']],
      ['CVE-2026-2222', ['GO-2026-1']],
    ])
  })

  test('count only for packages of the project, and are rated by nobody without a vector or a word', () => {
    const records = [record('GO-1', {}), record('GO-2', { of: { ecosystem: 'Go', name: 'example.com/other' } })]
    const found = toAdvisories('shop', records, [go])
    expect(found.map(({ id, severity, score }) => [id, severity, score])).toEqual([['GO-1', null, null]])
  })

  test('are rated as Bitnami rates a package, and by a score before the word of another record', () => {
    const aliases = ['CVE-2026-1111']
    const word = record('GO-1', { aliases, database_specific: { severity: 'LOW' } })
    const rated = record('BIT-1', { of: bitnami, aliases })
    rated.affected![0]!.severity = [{ score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }]
    for (const records of [
      [word, rated],
      [rated, word],
    ]) {
      expect(toAdvisories('shop', records)).toMatchObject([{ severity: 'critical', score: 9.8 }])
    }
  })

  /** The ranges of records, as `introduced..fixed` or `introduced...last_affected`. */
  const toRanges = (records: OsvRecord[], slug = 'shop') =>
    toAdvisories(slug, records).map(({ affected }) =>
      affected.map(
        ({ introduced, fixed, last_affected: last }) => `${introduced}..${fixed ?? (last ? `.${last}` : '')}`,
      ),
    )

  const custom = (events: object[], versions: object[]) => {
    const one = record('GO-1', { aliases: ['CVE-2026-1111'], events })
    const [affected] = one.affected!
    return {
      ...one,
      affected: [{ ...affected!, ecosystem_specific: { custom_ranges: [{ type: 'ECOSYSTEM', events: versions }] } }],
    } as OsvRecord
  }

  test.each<[string, object[], object[], string[]]>([
    [
      'every version of the module',
      [{ introduced: '0' }],
      [{ introduced: '11.0.0' }, { fixed: '11.0.6+security-01' }],
      ['11.0.0..11.0.6+security-01'],
    ],
    ['a part of them', [{ introduced: '2.0.0' }], [{ introduced: '2.4.0' }, { fixed: '2.4.16' }], ['2.4.0..2.4.16']],
    [
      'versions that end',
      [{ introduced: '1.0.0' }, { fixed: '1.2.0' }],
      [{ introduced: '3.0.0' }, { fixed: '3.0.1' }],
      ['3.0.0..3.0.1', '1.0.0..1.2.0'],
    ],
  ])('have the releases that the Go database knows beside %s', (_, events, versions, ranges) => {
    expect(toRanges([custom(events, versions)])).toEqual([ranges])
  })

  test('of a module end where its next major version begins, which begins there', () => {
    const of = (name: string, events: object[]) =>
      record('GO-1', { of: { ecosystem: 'Go', name: `example.com/shop${name}` }, events }).affected!
    const one = (...affected: OsvRecord['affected'][]) =>
      ({ id: 'GO-1', affected: affected.flatMap((each) => each ?? []) }) satisfies OsvRecord
    const [open, second] = [[{ introduced: '1.2.0' }], [{ introduced: '0' }, { fixed: '2.4.0' }]]
    expect(toRanges([one(of('', open), of('/v2', second))])).toEqual([['1.2.0..2.0.0', '2.0.0..2.4.0']])
    expect(toRanges([one(of('', open), of('/web/v2', second))])).toEqual([['1.2.0..', '0..2.4.0']])
    // Nothing is known of 1.x, so that the range of 2.x speaks for it, too.
    expect(toRanges([one(of('', [{ introduced: '0' }]), of('/v2', second))])).toEqual([['0..2.4.0']])
    expect(toRanges([one(of('', open))])).toEqual([['1.2.0..']])
  })

  const commit = '8.0.0-20250213231113-68c11e9ecb71'
  test.each<[string, object[], object[], string[]]>([
    ['all versions', [{ introduced: '0' }], [{ introduced: '1.0.0' }, { fixed: '1.4.0' }], ['1.0.0..1.4.0']],
    [
      'a commit',
      [{ introduced: '0' }, { fixed: commit }],
      [{ introduced: '1.0.0' }, { fixed: '1.4.0' }],
      ['1.0.0..1.4.0'],
    ],
    [
      'no end',
      [{ introduced: '1.0.0' }],
      [{ introduced: '1.0.0' }, { fixed: '1.4.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }],
      ['1.0.0..1.4.0', '2.0.0..2.1.0'],
    ],
    [
      'a build of a version',
      [{ introduced: '11.0.0' }, { fixed: '11.0.6+security-01' }],
      [{ introduced: '11.0.0' }, { fixed: '11.2.2' }],
      ['11.0.0..11.0.6+security-01'],
    ],
    ['all versions alone', [{ introduced: '0' }], [{ introduced: '0' }], ['0..']],
  ])('have the range of the repackager where it knows more than %s', (_, go, other, ranges) => {
    const aliases = ['CVE-2026-1111']
    const [first, second] = [
      record('GO-1', { aliases, events: go }),
      record('BIT-1', { of: bitnami, aliases, events: other }),
    ]
    expect(toRanges([first, second]).map((all) => all.toSorted())).toEqual([ranges])
    expect(toRanges([second, first]).map((all) => all.toSorted())).toEqual([ranges])
  })

  test.each([
    ['12.0.0', '12.0.0', ['12.0.0...12.0.0']],
    ['1.26.0-0', '1.27.1', ['1.26.0..1.27.1']],
    ['4.0.0', '4.0.20-0', ['4.0.0..4.0.20']],
    ['6.7.2-7', '6.8.2-1', ['6.7.2-7..6.8.2-1']],
  ])("of Bitnami's %s to %s are read as it means them", (introduced, fixed, ranges) => {
    expect(toRanges([record('BIT-1', { of: bitnami, events: [{ introduced }, { fixed }] })])).toEqual([ranges])
  })

  test('that were taken back say so, unless another database keeps theirs', () => {
    const withdrawn = '2026-05-01T00:00:00Z'
    const aliases = ['CVE-2026-1111']
    const [taken] = toAdvisories('shop', [record('GO-1', { aliases, withdrawn })])
    expect(taken!.withdrawn_at).toBe(Date.UTC(2026, 4, 1) / 1000)
    const events = [{ introduced: '0' }, { fixed: '1.0.1' }]
    const [kept] = toAdvisories('shop', [
      record('GO-1', { aliases, withdrawn }),
      record('BIT-1', { of: bitnami, aliases, events }),
    ])
    expect(kept).toMatchObject({ withdrawn_at: null, affected: [{ fixed: '1.0.1' }] })
    expect(kept!.affected).toHaveLength(1)
  })

  test.each([
    ['prometheus', '0.305.2', '3.5.2'],
    ['prometheus', '0.54.1', '2.54.1'],
    ['vitess', '0.22.4', '22.0.4'],
    ['knative', '0.39.0', '1.12.0'],
    ['shop', 'v0.39.0', '0.39.0'],
    ['shop', '2.12.4+incompatible', '2.12.4'],
  ])('give %s the version of its release for module version %s: %s', (slug, module, release) => {
    const [advisory] = toAdvisories(slug, [record('GO-1', { events: [{ introduced: '0' }, { fixed: module }] })])
    expect(advisory!.affected).toEqual([{ introduced: '0', fixed: release, last_affected: null }])
  })
})

describe('the collector', () => {
  /** OSV, one page a record. */
  async function openOsv(known: Record<string, OsvRecord[]>) {
    const asked: string[] = []
    const server = await openLocalServer((request, response) => {
      const {
        package: { name },
        page_token: page,
      } = JSON.parse(request.body.toString())
      const at = Number(page ?? 0)
      asked.push(`${name} ${at}`)
      const vulns = (known[name] ?? []).slice(at, at + 1)
      const next = (known[name]?.length ?? 0) > at + 1 ? { next_page_token: String(at + 1) } : {}
      sendJson(response, { vulns, ...next })
    })
    return { ...server, asked, known }
  }

  async function collect(url: string, state: SourceState) {
    const source = {
      kind: 'osv' as const,
      url,
      slug: 'shop',
      tagPattern: null,
      chartNames: [],
      packages: [go, bitnami],
    }
    return createOsvCollector().collect(source, state, { http: openHttp(), now: () => 0 })
  }

  test('reads every page of every package, and is unchanged while nothing is new', async () => {
    const osv = await openOsv({
      [go.name]: [record('GO-1', {}), record('GO-2', {})],
      shop: [record('BIT-1', { of: bitnami })],
    })
    const first = await collect(osv.url, {})
    if (first.kind !== 'changed') throw new Error(JSON.stringify(first))
    expect(first.catalogAdvisories!.map(({ id }) => id)).toEqual(['BIT-1', 'GO-1', 'GO-2'])
    expect(osv.asked).toEqual(['example.com/shop 0', 'example.com/shop 1', 'shop 0'])

    expect(await collect(osv.url, first.state)).toEqual({ kind: 'unchanged', state: first.state })

    osv.known.shop!.push(record('BIT-2', { of: bitnami }))
    const second = await collect(osv.url, first.state)
    expect(second).toMatchObject({ kind: 'changed' })
    if (second.kind !== 'changed') return
    expect(second.catalogAdvisories!.map(({ id }) => id)).toEqual(['BIT-1', 'BIT-2', 'GO-1', 'GO-2'])
  })

  test('leaves what is known when the answer is none of OSV', async () => {
    const server = await openLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"vulns":[{"id":5}]}')
    })
    expect(await collect(server.url, {})).toMatchObject({ kind: 'unreachable' })
  })
})
