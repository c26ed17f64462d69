import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../src/collectors/http/answer.ts'
import { openHttp } from './http.ts'
import { openLocalServer, sendJson } from './local-server.ts'

const types = ['application/json']
const json = { 'content-type': 'application/json' }

describe('an answer', () => {
  test('has its body, and what makes the next question conditional', async () => {
    const { url, asked } = await openLocalServer((question, response) => {
      if (question.headers['if-none-match'] === '"1"') return void response.writeHead(304).end()
      sendJson(response, [1], { etag: '"1"', 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' })
    })
    const http = openHttp()
    const first = await http.ask({ url, types })
    expect(first).toMatchObject({
      kind: 'ok',
      url: `${url}/`,
      state: { etag: '"1"', lastModified: 'Fri, 20 Nov 2026 10:00:00 GMT' },
    })
    expect(first.kind === 'ok' && first.body.toString()).toBe('[1]')
    const state = first.kind === 'ok' ? first.state : {}
    expect(await http.ask({ url, types, state })).toMatchObject({ kind: 'unchanged' })
    expect(asked[1]!.headers).toMatchObject({
      'if-none-match': '"1"',
      'if-modified-since': 'Fri, 20 Nov 2026 10:00:00 GMT',
      accept: 'application/json',
    })
  })

  test.each([
    [404, 'absent'],
    [410, 'absent'],
    [401, 'denied'],
    [403, 'denied'],
    [304, 'unreachable'],
    [204, 'unreachable'],
    [400, 'unreachable'],
    [422, 'unreachable'],
  ])('of status %d is %s, and not asked for again', async (status, kind) => {
    const { url, asked } = await openLocalServer((_, response) => void response.writeHead(status, json).end())
    expect(await openHttp().ask({ url, types })).toMatchObject({ kind, reason: expect.stringContaining(`${status}`) })
    expect(asked).toHaveLength(1)
  })

  test('that does not come names its host and the cause apart, for the skipped questions as well', async () => {
    const [http, host] = [openHttp(), '127.0.0.1:1']
    const url = `http://${host}`
    const noAnswer = { host, why: 'nothing listens there' }
    for (let question = 0; question < 5; question++) {
      const reason = `${host}: nothing listens there`
      expect(await http.ask({ url, types })).toEqual({ kind: 'unreachable', reason, noAnswer })
    }
  })

  test.each([500, 502, 503])('of status %d is asked for again, and then unreachable', async (status) => {
    const { url, asked } = await openLocalServer((_, response) => void response.writeHead(status).end())
    expect(await openHttp().ask({ url, types })).toMatchObject({ kind: 'unreachable' })
    expect(asked).toHaveLength(3)
  })

  test('that comes at the second try is the answer', async () => {
    let tries = 0
    const { url } = await openLocalServer((_, response) => {
      if (++tries === 1) return void response.writeHead(502).end()
      sendJson(response, 'there')
    })
    expect(await openHttp().ask({ url, types })).toMatchObject({ kind: 'ok' })
  })

  test.each(['text/html', 'application/jsonx', ''])('of the type "%s" is one of somebody else', async (type) => {
    const { url, asked } = await openLocalServer((_, response) => {
      response.writeHead(200, type ? { 'content-type': type } : {}).end('[1]')
    })
    expect(await openHttp().ask({ url, types })).toMatchObject({ kind: 'unreachable' })
    expect(asked).toHaveLength(1)
  })

  test('is never half read: a cut off one is unreachable', async () => {
    const whole = gzipSync(JSON.stringify(Array.from({ length: 10_000 }, (_, i) => i)))
    const cut: Record<string, (response: ServerResponse) => void> = {
      length: (response) => {
        response.writeHead(200, { ...json, 'content-length': '100' })
        response.write('[1')
        setTimeout(() => response.destroy(), 20)
      },
      chunked: (response) => {
        response.writeHead(200, json)
        response.write('[1')
        setTimeout(() => response.destroy(), 20)
      },
      gzip: (response) => {
        const half = whole.subarray(0, whole.length / 2)
        response.writeHead(200, { ...json, 'content-encoding': 'gzip', 'content-length': half.length }).end(half)
      },
      nonsense: (response) => {
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('no gzip')
      },
      brotli: (response) => {
        response.writeHead(200, { ...json, 'content-encoding': 'br' }).end('[1]')
      },
    }
    const { url } = await openLocalServer(({ path }, response) => cut[path.slice(1)]!(response))
    const http = openHttp()
    for (const way of Object.keys(cut)) {
      expect([way, await http.ask({ url: `${url}/${way}`, types })]).toMatchObject([way, { kind: 'unreachable' }])
    }
  })

  test('is bounded as it comes and unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000, ' '))
    const { url } = await openLocalServer(({ path }, response) => {
      if (path === '/bomb') return void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb)
      response.writeHead(200, json).end(Buffer.alloc(1_000_000, ' '))
    })
    const http = openHttp()
    for (const path of ['/bomb', '/plain']) {
      expect(await http.ask({ url: url + path, types, maxBytes: 100_000 })).toMatchObject({
        kind: 'unreachable',
        reason: expect.stringContaining('larger'),
      })
    }
    expect(await http.ask({ url: `${url}/bomb`, types, maxBytes: 2_000_000 })).toMatchObject({ kind: 'ok' })
  })

  test('that does not come in time is unreachable', async () => {
    const { url } = await openLocalServer(() => {})
    const answer = await openHttp({ patienceMs: 100, retryPausesMs: [] }).ask({ url, types })
    expect(answer).toMatchObject({ kind: 'unreachable' })
  })

  test('of nobody is unreachable, and the reason names the host alone', async () => {
    const { url } = await openLocalServer(() => {})
    const port = Number(new URL(url).port)
    const gone = `http://127.0.0.1:${port === 1 ? 2 : 1}/secret-path`
    const answer = await openHttp({ retryPausesMs: [] }).ask({ url: gone, types })
    expect(answer).toMatchObject({ kind: 'unreachable', reason: expect.stringMatching(/^127\.0\.0\.1:1: /) })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })
})

describe('a host that does not answer', () => {
  test('is left alone after three questions, until somebody else asks', async () => {
    const { url, asked } = await openLocalServer(() => {})
    const http = openHttp({ patienceMs: 500, retryPausesMs: [1] })
    const answers = []
    for (let i = 0; i < 5; i++) answers.push(await http.ask({ url: `${url}/${i}`, types }))
    expect(new Set(answers.map((answer) => answer.kind === 'unreachable' && answer.reason))).toHaveLength(1)
    await openHttp({ patienceMs: 500, retryPausesMs: [] }).ask({ url: `${url}/6`, types })
    // Kept when the server sees that nobody waits any more.
    await expect.poll(() => asked.map(({ path }) => path)).toEqual(['/0', '/0', '/1', '/1', '/2', '/2', '/6'])
  })

  test('is asked on when it answers now and then, whatever it says', async () => {
    const { url, asked } = await openLocalServer(({ path }, response) => {
      if (path === '/2') response.writeHead(404).end()
      if (path === '/5') response.destroy()
    })
    const http = openHttp({ patienceMs: 1000, retryPausesMs: [] })
    for (let i = 0; i < 8; i++) await http.ask({ url: `${url}/${i}`, types })
    await expect.poll(() => asked.map(({ path }) => path)).toEqual(['/0', '/1', '/2', '/3', '/4', '/5', '/6'])
  })

  test('is one of many when there is no network: the rest is not asked', async () => {
    const http = openHttp({ retryPausesMs: [] })
    const { url, asked } = await openLocalServer((_, response) => sendJson(response, 'there'))
    for (let i = 1; i <= 8; i++) await http.ask({ url: `http://127.0.0.1:${i}`, types })
    expect(await http.ask({ url, types })).toMatchObject({ reason: expect.stringContaining('no other host answers') })
    expect(asked).toEqual([])
  })
})

describe('a redirect', () => {
  const secretHeaders = { authorization: 'Bearer hunter2' }

  test('is followed, with secrets within the host alone', async () => {
    const other = await openLocalServer((_, response) => sendJson(response, 'other'))
    const { url, asked } = await openLocalServer(({ path }, response) => {
      if (path === '/') return void response.writeHead(301, { location: '/moved' }).end()
      if (path === '/away') return void response.writeHead(302, { location: `${other.url}/x` }).end()
      sendJson(response, 'moved')
    })
    const http = openHttp()
    expect(await http.ask({ url, types, secretHeaders })).toMatchObject({ kind: 'ok', url: `${url}/moved` })
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer hunter2', 'Bearer hunter2'])
    expect(await http.ask({ url: `${url}/away`, types, secretHeaders })).toMatchObject({ kind: 'ok' })
    expect(other.asked).toHaveLength(1)
    expect(JSON.stringify(other.asked)).not.toContain('hunter2')
  })

  test('away and back again does not bring the secret back', async () => {
    const other = await openLocalServer(({ headers }, response) => {
      response.writeHead(302, { location: `http://${String(headers['x-home'])}/back` }).end()
    })
    const { url, asked } = await openLocalServer(({ path }, response) => {
      if (path === '/') return void response.writeHead(302, { location: `${other.url}/` }).end()
      sendJson(response, 'back')
    })
    const headers = { 'x-home': new URL(url).host }
    await openHttp().ask({ url, types, headers, secretHeaders })
    expect(asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/', 'Bearer hunter2'],
      ['/back', undefined],
    ])
  })

  test.each(['/', 'ftp://127.0.0.1/', 'http://', 'javascript:alert(1)'])('to %s ends', async (location) => {
    const { url } = await openLocalServer((_, response) => void response.writeHead(302, { location }).end())
    expect(await openHttp().ask({ url, types })).toMatchObject({ kind: 'unreachable' })
  })

  test('takes no question with a body to another host', async () => {
    const other = await openLocalServer((_, response) => sendJson(response, 1))
    const { url } = await openLocalServer((_, response) => {
      response.writeHead(307, { location: other.url }).end()
    })
    expect(await openHttp().ask({ url, types, method: 'POST', body: 'x' })).toMatchObject({ kind: 'unreachable' })
    expect(other.asked).toEqual([])
  })
})

describe('a limit', () => {
  const now = () => Math.floor(Date.now() / 1000)

  test('that ends soon is waited for', async () => {
    let tries = 0
    const { url } = await openLocalServer((_, response) => {
      if (++tries === 1) return void response.writeHead(429, { 'retry-after': '1' }).end()
      sendJson(response, 1)
    })
    expect(await openHttp().ask({ url, types })).toMatchObject({ kind: 'ok' })
    expect(tries).toBe(2)
  })

  test.each<[string, number, Record<string, string>]>([
    ['Retry-After', 429, { 'retry-after': '600' }],
    ['a date', 429, { 'retry-after': new Date((now() + 600) * 1000).toUTCString() }],
    ['GitHub with 403', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now() + 600}` }],
    ['a second limit of GitHub', 403, { 'retry-after': '600' }],
  ])('that is far is told as %s tells it, and nobody is asked till then', async (_, status, headers) => {
    const { url, asked } = await openLocalServer((_, response) => void response.writeHead(status, headers).end())
    const http = openHttp()
    for (let i = 0; i < 2; i++) {
      const answer = await http.ask({ url, types })
      expect(answer.kind === 'limited' && Math.abs(answer.retryAt - now() - 600)).toBeLessThan(60)
    }
    expect(asked).toHaveLength(1)
  })

  test('is known before it is passed', async () => {
    const reset = now() + 600
    const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${reset}` }
    const { url, asked } = await openLocalServer((_, response) => sendJson(response, 1, headers))
    const http = openHttp()
    expect(await http.ask({ url, types, budget: 'a' })).toMatchObject({ kind: 'ok' })
    expect(http.budget(url, 'a')).toEqual({ limit: 60, remaining: 0, resetAt: reset })
    expect(await http.ask({ url, types, budget: 'a' })).toEqual({ kind: 'limited', retryAt: reset })
    expect(await http.ask({ url, types, budget: 'b' })).toMatchObject({ kind: 'ok' })
    expect(asked).toHaveLength(2)
  })

  test('of ours is kept: no more questions at once than one host may get', async () => {
    let [open, most] = [0, 0]
    const full = Promise.withResolvers<void>()
    const { url } = await openLocalServer(async (_, response) => {
      most = Math.max(most, ++open)
      if (open === 3) full.resolve()
      await full.promise
      await new Promise((next) => setTimeout(next, 5))
      open--
      sendJson(response, 1)
    })
    const http = openHttp({ perHost: 3 })
    await Promise.all(Array.from({ length: 30 }, () => http.ask({ url, types })))
    expect(most).toBe(3)
  })
})

test('a proxy of the environment is asked in place of the host', async () => {
  const { url } = await openLocalServer((_, response) => sendJson(response, 'there'))
  const proxy = await openLocalServer((_, response) => sendJson(response, 'proxied'))
  const http = openHttp({ env: { http_proxy: proxy.url, NO_PROXY: '127.0.0.1' } })
  expect(await http.ask({ url: 'http://catalog.example/x', types })).toMatchObject({ kind: 'ok' })
  expect(await http.ask({ url, types })).toMatchObject({ kind: 'ok' })
  expect(proxy.asked.map(({ path }) => path)).toEqual(['http://catalog.example/x'])
})

test('who is asked to end throws', async () => {
  const controller = new AbortController()
  const { url } = await openLocalServer(() => controller.abort(new Error('enough')))
  await expect(openHttp({ signal: controller.signal }).ask({ url, types })).rejects.toThrow('enough')
})

test('no header makes an answer that is not one of those named', () => {
  const header = fc.oneof(
    fc.string(),
    fc.constantFrom('0', '600', '-1', 'Fri, 20 Nov 2026 10:00:00 GMT', '9'.repeat(40)),
  )
  const names = [
    'retry-after',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'content-type',
    'content-encoding',
    'etag',
  ]
  const headers = fc.record(Object.fromEntries(names.map((name) => [name, header])), { requiredKeys: [] })
  fc.assert(
    fc.property(headers, fc.integer({ min: 200, max: 599 }), (headers, status) => {
      const response = { status, headers, body: Buffer.alloc(0), url: new URL('http://x.example/') }
      const { answer } = readAnswer(response, { url: 'http://x.example/', types }, 1_000)
      expect(['ok', 'denied', 'absent', 'unreachable', 'limited']).toContain(answer.kind)
      if (answer.kind === 'limited') expect(answer.retryAt).toBeGreaterThanOrEqual(1_000)
    }),
  )
})
