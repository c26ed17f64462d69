import { spawnSync } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CollectOutcome, Source } from '../../src/collectors/collector.ts'
import { createGitCollector } from '../../src/collectors/git/index.ts'
import type { HttpSettings } from '../../src/collectors/http.ts'
import type { SourceState } from '../../src/collectors/source-state.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import {
  answerGit,
  commitAt,
  type FakeObject,
  type FakeTag,
  idOf,
  sendGit,
  tagOf,
  toEntry,
  toFetched,
  toListed,
  toPack,
  toPacket,
} from './git-server.ts'
import { openHttp } from './http.ts'
import { type Asked, openLocalServer } from './local-server.ts'

const now = Date.UTC(2026, 10, 30) / 1000
const toSeconds = (at: string) => Date.parse(at) / 1000

type Answer = (asked: Asked, response: ServerResponse) => void

async function open(answer: Answer, http: Partial<HttpSettings> = {}) {
  const server = await openLocalServer(answer)
  const collect = (source: Partial<Source> = {}, state: SourceState = {}, since?: number): Promise<CollectOutcome> =>
    createGitCollector({ webUrl: server.url }).collect(
      { kind: 'git', url: 'https://github.com/o/r', slug: 'r', tagPattern: null, chartNames: [], ...source },
      state,
      { http: openHttp({ retryPausesMs: [], ...http }), now: () => now, since },
    )
  return { ...server, collect }
}

const openTags = (tags: FakeTag[]) => open((asked, response) => answerGit(tags, asked, response))

function changed(outcome: CollectOutcome) {
  if (outcome.kind !== 'changed') throw new Error(`It is ${JSON.stringify(outcome)}`)
  return outcome
}

const versions = (outcome: CollectOutcome) => changed(outcome).releases.map(({ type, version }) => `${type} ${version}`)

const three = [
  { tag: 'v2.0.0-rc.1', at: '2026-09-03T00:00:00Z' },
  { tag: 'v1.1.0', at: '2026-09-02T10:20:30Z' },
  { tag: 'v1.0.0', at: '2026-09-01T00:00:00Z' },
]

test('lists every tag in one request, and asks for the times of new ones only', async () => {
  const tags = three.slice(1)
  const { asked, collect } = await openTags(tags)
  const first = changed(await collect())
  expect(first).toMatchObject({ isWhole: true })
  expect(first.releases[0]).toEqual({
    type: 'app',
    chartName: '',
    version: 'v1.1.0',
    appVersion: null,
    publishedAt: toSeconds('2026-09-02T10:20:30Z'),
    url: 'https://github.com/o/r/releases/tag/v1.1.0',
    notes: '',
    security: null,
    isRough: true,
  })
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(2).fill('POST /o/r.git/git-upload-pack'))
  expect(asked[1]!.body).toContain('filter tree:0')

  expect(await collect({}, first.state)).toEqual({ kind: 'unchanged', state: first.state })
  tags.unshift(three[0]!)
  expect(versions(await collect({}, first.state))).toEqual(['pre v2.0.0-rc.1'])
  expect(asked.at(-1)!.body.match(/want /g)).toHaveLength(1)
})

test('an annotated tag has its own time, another that of its commit', async () => {
  const tags = three.map(({ tag }) => ({ tag, at: '2026-09-02T00:00:00Z' }))
  const { releases } = changed(await (await openTags(tags)).collect())
  expect(releases.map(({ publishedAt }) => publishedAt)).toEqual(Array(3).fill(toSeconds('2026-09-02T00:00:00Z')))
})

test('an annotated tag without a time has that of its commit, and never one from its message', async () => {
  const commit = commitAt('2026-09-01T00:00:00Z')
  const tag = tagOf(commit, 'v1.0.0', '')
  const { collect } = await open(serve([['v1.0.0', tag]], toPack([tag, commit])))
  expect(changed(await collect()).releases).toMatchObject([{ publishedAt: toSeconds('2026-09-01T00:00:00Z') }])
})

test('since a day, all releases from then on are read again', async () => {
  const { collect } = await openTags(three)
  const { state } = changed(await collect())
  const since = toSeconds(three[1]!.at)
  expect(versions(await collect({}, state, since))).toEqual(['pre v2.0.0-rc.1', 'app v1.1.0'])
})

test('of pre-releases, the newest ten are read', async () => {
  const at = (index: number) => new Date(Date.UTC(2026, 0, index)).toISOString()
  const tags = Array.from({ length: 30 }, (_, index) => ({ tag: `v1.0.0-rc.${index}`, at: at(index) }))
  const found = versions(await (await openTags([...tags, three[2]!])).collect())
  expect(found).toHaveLength(11)
  expect(found.slice(0, 2)).toEqual(['app v1.0.0', 'pre v1.0.0-rc.29'])
})

test('tags of charts, parts, variants and branches are none of the application', async () => {
  const names = [
    'v1.0.0',
    'r-1.1.0',
    'api/v1.2.0',
    'chart-1.3.0',
    'v1.4.0-cluster',
    'v1.5.0-retract',
    'nightly',
    'v1.6',
  ]
  const tags = names.map((tag) => ({ tag, at: three[0]!.at }))
  expect(versions(await (await openTags(tags)).collect({ chartNames: ['chart'] }))).toEqual([
    'app v1.0.0',
    'app r-1.1.0',
    'app v1.6',
  ])
})

test('a repository without tags is unchanged', async () => {
  expect(await (await openTags([])).collect()).toEqual({ kind: 'unchanged', state: { cursor: '' } })
})

describe('addresses', () => {
  test.each([
    ['https://github.com/o/r', '/o/r.git/git-upload-pack'],
    ['https://github.com/o/r/', '/o/r.git/git-upload-pack'],
    ['https://user:pass@github.com/o/r.git?a#b', '/o/r.git/git-upload-pack'],
  ])('%s is read at the mirror as %s', async (url, path) => {
    const { asked, collect } = await openTags(three)
    const { releases } = changed(await collect({ url }))
    expect(releases[0]!.url).toBe('https://github.com/o/r/releases/tag/v2.0.0-rc.1')
    expect(asked[0]).toMatchObject({ path, headers: expect.not.objectContaining({ authorization: expect.anything() }) })
  })

  test('other hosts are read at their own', async () => {
    const { url, asked, collect } = await openTags(three)
    expect(versions(await collect({ url: `${url}/group/sub/r` }))).toHaveLength(3)
    expect(asked[0]!.path).toBe('/group/sub/r.git/git-upload-pack')
  })

  test.each(['https://github.com', 'https://github.com//', 'oci://r.example/a/b', 'x'])('%s is absent', async (url) => {
    const { asked, collect } = await openTags(three)
    expect(await collect({ url })).toMatchObject({ kind: 'absent' })
    expect(asked).toEqual([])
  })

  test('a token is sent as a password', async () => {
    const { asked, collect } = await openTags(three)
    await collect({ credential: { secret: 's3cret' } })
    await collect({ credential: { username: 'me', secret: 's3cret' } })
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      ...Array(2).fill(basic('x-access-token:s3cret')),
      ...Array(2).fill(basic('me:s3cret')),
    ])
  })
})

function reply(status: number, type: string, body: string | Buffer = ''): Answer {
  return (_, response) => void response.writeHead(status, { 'content-type': type }).end(body)
}

/** Lists these tags, and answers any fetch with this packfile. */
function serve(tags: [name: string, FakeObject][], pack: Buffer): Answer {
  return (asked, response) => {
    const refs = tags.map(([name, object]): [string, string] => [name, idOf(object)])
    sendGit(response, asked.body.includes('ls-refs') ? toListed(refs) : toFetched(pack))
  }
}

const result = 'application/x-git-upload-pack-result'

describe('what is no repository', () => {
  test.each([401, 404, 410])('%i is absent', async (status) => {
    expect(await (await open(reply(status, 'text/plain'))).collect()).toMatchObject({ kind: 'absent' })
  })

  test('a refused token is unreachable', async () => {
    const { collect } = await open(reply(401, 'text/plain'))
    expect(await collect({ credential: { secret: 'x' } })).toMatchObject({ kind: 'unreachable' })
  })

  test.each([
    ['a broken server', reply(500, result)],
    ['a page', reply(200, 'text/html', '<html>')],
    ['nothing', reply(200, result)],
    ['a list without an end', reply(200, result, toListed([['v1.0.0', 'a'.repeat(40)]]).subarray(0, -4))],
    ['a list that is cut off', reply(200, result, toListed([['v1.0.0', 'a'.repeat(40)]]).subarray(0, -9))],
    ['a packet of 65,535 bytes that has five', reply(200, result, 'ffffa0000')],
    ['a packet without a length', reply(200, result, 'x00a refs')],
    ['a packet with a negative length', reply(200, result, '-001-0010000')],
    ['an endless list', reply(200, result, Buffer.concat(Array(1_100_000).fill(toPacket(`${'a'.repeat(40)} x\n`))))],
    ['another host', (_: Asked, response: ServerResponse) => redirect(response, 'https://example.com/')],
    ['an address in a private network', (_: Asked, response: ServerResponse) => redirect(response, 'http://10.1.2.3/')],
    ['a file', (_: Asked, response: ServerResponse) => redirect(response, 'file:///etc/passwd')],
  ])('%s is unreachable', async (_, answer) => {
    expect(await (await open(answer)).collect()).toMatchObject({ kind: 'unreachable' })
  })

  test('a limit is one', async () => {
    const { collect } = await open((_, response) => void response.writeHead(429, { 'retry-after': '600' }).end())
    expect(await collect()).toMatchObject({ kind: 'limited' })
  })
})

function redirect(response: ServerResponse, location: string) {
  response.writeHead(307, { location }).end()
}

const commit = commitAt('2026-09-01T00:00:00Z')

describe('tags of a hostile server', () => {
  test.each([
    '../../v1.0.0',
    'v1.0.0/../..',
    'v1..0',
    'v1.0.0 ',
    'v1.0.0\u0007',
    'v1.0.0\n',
    'v1.0.0\u202e',
    'v1.0.0^{}',
    'v1.0.0~1',
    'v1:0',
    'v1.0.0@{1}',
    `v1.0.0-${'1'.repeat(300)}`,
    '__proto__',
  ])('%j is no release', async (name) => {
    const { asked, collect } = await open(serve([[name, commit]], toPack([commit])))
    expect(await collect()).toMatchObject({ kind: 'unchanged' })
    expect(asked).toHaveLength(1)
  })

  test('more than ten thousand releases are refused', async () => {
    const refs = Array.from({ length: 10_001 }, (_, index): [string, FakeObject] => [`v1.0.${index}`, commit])
    expect(await (await open(serve(refs, toPack([commit])))).collect()).toMatchObject({ kind: 'unreachable' })
  })

  test.each([
    [4_102_444_800, now],
    [99_999_999_999, now],
    [now - 1, now - 1],
  ])('a time of %i is %i', async (made, expected) => {
    const tag = tagOf(commit, 'v1.0.0', `tagger T <t@t.example> ${made} +0000\n`)
    const { collect } = await open(serve([['v1.0.0', tag]], toPack([tag, commit])))
    expect(changed(await collect()).releases).toMatchObject([{ publishedAt: expected }])
  })

  test.each(['tagger T <t@t> 999999999999999999 +0000\n', 'tagger T <t@t> -5 +0000\n', 'tagger T <t@t>\n'])(
    'after %j the commit counts',
    async (tagger) => {
      const tag = tagOf(commit, 'v1.0.0', tagger)
      const { collect } = await open(serve([['v1.0.0', tag]], toPack([tag, commit])))
      expect(changed(await collect()).releases).toMatchObject([{ publishedAt: toSeconds('2026-09-01T00:00:00Z') }])
    },
  )
})

/** A delta that inserts `insert`, and copies all of the base before it. */
function toDelta(base: Buffer, insert: string, length = base.length + insert.length) {
  const number = (value: number) => {
    const bytes = []
    for (let rest = value; ; rest = Math.floor(rest / 128)) {
      bytes.push((rest % 128) | (rest > 127 ? 128 : 0))
      if (rest <= 127) return bytes
    }
  }
  const copy = [0b1011_0000, base.length & 255, base.length >> 8]
  return Buffer.from([...number(base.length), ...number(length), ...copy, insert.length, ...Buffer.from(insert)])
}

const refDelta = (base: FakeObject, delta: Buffer) => toEntry(7, delta, Buffer.from(idOf(base), 'hex'))

test('commits that are packed as deltas are read', async () => {
  const other: FakeObject = { type: 'commit', data: Buffer.concat([commit.data, Buffer.from('More')]) }
  const pack = toPack([commit, refDelta(commit, toDelta(commit.data, 'More'))])
  const { collect } = await open(
    serve(
      [
        ['v1.0.0', commit],
        ['v1.0.1', other],
      ],
      pack,
    ),
  )
  expect(versions(await collect())).toEqual(['app v1.0.0', 'app v1.0.1'])
})

describe('a hostile packfile', () => {
  const bomb = toEntry(1, Buffer.concat([Buffer.from('tree '), Buffer.alloc(80 * 1024 * 1024)]))
  test.each([
    ['is empty', Buffer.alloc(0)],
    ['has another name', Buffer.from('KCAP\0\0\0\x02\0\0\0\0')],
    ['counts four billion objects', toPack([commit], 0xffff_ffff)],
    ['has fewer objects than it counts', toPack([commit], 2)],
    ['has more than were asked for', toPack(Array.from({ length: 9 }, (_, i) => commitAt(three[0]!.at, String(i))))],
    ['unpacks to 80 MiB', toPack([bomb])],
    ['has a length without end', Buffer.concat([toPack([], 1).subarray(0, 12), Buffer.alloc(99, 255)])],
    ['is no compressed data', Buffer.concat([toPack([], 1).subarray(0, 12), Buffer.from('\x9f\x01garbage')])],
    ['has a delta that makes a terabyte', toPack([commit, refDelta(commit, toDelta(commit.data, 'x', 2 ** 40))])],
    ['has a delta that stops within an order', toPack([commit, refDelta(commit, Buffer.from([1, 1, 0xff]))])],
    [
      'has a delta that copies from behind its base',
      toPack([commit, refDelta(commit, Buffer.from([1, 9, 0x94, 255, 5]))]),
    ],
  ])('that %s is unreachable', async (_, pack) => {
    expect(await (await open(serve([['v1.0.0', commit]], pack))).collect()).toMatchObject({ kind: 'unreachable' })
  })

  test.each([
    ['other commits', toPack([commitAt('2020-01-01T00:00:00Z')])],
    ['a delta without its base', toPack([refDelta(commitAt(three[0]!.at), toDelta(commit.data, 'x'))])],
    ['nothing', toPack([])],
  ])('with %s dates no tag', async (_, pack) => {
    expect(versions(await (await open(serve([['v1.0.0', commit]], pack))).collect())).toEqual([])
  })

  test('never makes more of a look than an outcome', async () => {
    const whole = toPack([commit, refDelta(commit, toDelta(commit.data, 'More')), tagOf(commit, 'v1.0.0', '')])
    let body: Buffer = Buffer.alloc(0)
    const { collect } = await open((asked, response) =>
      sendGit(response, asked.body.includes('ls-refs') ? toListed([['v1.0.0', idOf(commit)]]) : body),
    )
    const broken = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }).map((edits) => {
      const pack = Buffer.from(whole)
      for (const [at, byte] of edits) pack[at] = byte
      return pack
    })
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, broken.map(toFetched), bytes.map(toFetched)), async (answer) => {
        body = answer
        expect(['changed', 'unreachable']).toContain((await collect()).kind)
      }),
      { numRuns: 300 },
    )
  })
})

const env = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
  GIT_CONFIG_KEY_1: 'uploadpack.allowFilter',
  GIT_CONFIG_VALUE_1: 'true',
}
const hasGit = spawnSync('git', ['--version'], { env }).status === 0

/** Serves the repository that `git fast-import` makes of a script, by git's own server. */
function openGit(script: string, more: Record<string, string> = {}): Answer {
  const root = temporaryFolder()
  const cwd = join(root, 'o', 'r.git')
  const git = (...args: string[]) => expect(String(spawnSync('git', args, { cwd, env, input: script }).stderr)).toBe('')
  spawnSync('git', ['init', '-q', '--bare', cwd], { env })
  git('fast-import', '--quiet')
  git('repack', '-qadf')
  return (asked, response) => {
    const cgi = {
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: asked.path,
      REQUEST_METHOD: asked.method,
      CONTENT_TYPE: asked.headers['content-type'],
      GIT_PROTOCOL: String(asked.headers['git-protocol']),
    }
    const { stdout } = spawnSync('git', ['http-backend'], { env: { ...env, ...cgi, ...more }, input: asked.body })
    const end = stdout.indexOf('\r\n\r\n')
    const lines = stdout.toString('latin1', 0, end).split('\r\n')
    const headers = new Map(lines.map((line) => line.split(': ') as [string, string]))
    const status = Number(headers.get('Status')?.slice(0, 3) ?? 200)
    response
      .writeHead(status, { 'content-type': headers.get('Content-Type') ?? 'text/plain' })
      .end(stdout.subarray(end + 4))
  }
}

/** Commits with long messages that differ little are stored as deltas. */
function script(count: number) {
  const text = Array.from({ length: 60 }, (_, line) => `Line ${line} of the notes`).join('\n')
  return Array.from({ length: count }, (_, index) => {
    const message = `${text} ${index}`
    const commit = `commit refs/heads/main\nmark :${index + 1}\ncommitter C <c@b.example> ${now - 1000 + index} +0000\n`
    const tag =
      index % 2 === 0
        ? `reset refs/tags/v1.0.${index}\nfrom :${index + 1}\n`
        : `tag v1.0.${index}\nfrom :${index + 1}\ntagger T <t@b.example> ${now - 500 + index} +0000\ndata 5\nNotes`
    return `${commit}data ${message.length}\n${message}\n${tag}\n`
  }).join('')
}

describe.skipIf(!hasGit)('a real git server', () => {
  test('gives all tags with their times', async () => {
    const { asked, collect } = await open(openGit(script(40)))
    const { releases, state } = changed(await collect())
    const times = Array.from({ length: 40 }, (_, index) => now - (index % 2 === 0 ? 1000 : 500) + index)
    expect(releases.map(({ version, publishedAt }) => `${version} ${publishedAt}`).toSorted()).toEqual(
      times.map((time, index) => `v1.0.${index} ${time}`).toSorted(),
    )
    expect(await collect({}, state)).toMatchObject({ kind: 'unchanged' })
    expect(asked).toHaveLength(3)
  })

  test('that refuses filters is unreachable, and that has no such repository absent', async () => {
    const { collect } = await open(openGit(script(1), { GIT_CONFIG_VALUE_1: 'false' }))
    expect(await collect()).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('filters') })
    expect(await collect({ url: 'https://github.com/o/other' })).toMatchObject({ kind: 'absent' })
  })
})
