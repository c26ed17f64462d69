import { describe, expect, test } from 'vitest'
import { Osv } from '../../src/collectors/osv/index.ts'
import { openHttp } from './http.ts'
import { type Handler, openLocalServer, sendJson } from './local-server.ts'

const ghsa = {
  id: 'GHSA-qppj-fm5r-hxr3',
  aliases: ['CVE-2023-44487'],
  summary: 'HTTP/2 Stream Cancellation Attack',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' }],
}

async function openOsv(handler: Handler, settings = {}) {
  const server = await openLocalServer(handler)
  return { server, osv: new Osv({ http: openHttp(settings), baseUrl: `${server.url}/` }) }
}

const found =
  (value: object): Handler =>
  (_, response) =>
    sendJson(response, value)
const status =
  (code: number, headers = {}): Handler =>
  (_, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end('{}')
  }

describe('an advisory', () => {
  test.each([
    ['a vector', {}, 'high'],
    ['a word of its reviewers', { database_specific: { severity: 'MODERATE' } }, 'medium'],
    ['a word that nobody knows', { database_specific: { severity: 'AWFUL' } }, 'high'],
    ['a word of another kind', { database_specific: { severity: 5 } }, 'high'],
    ['a vector of another version', { severity: [{ type: 'CVSS_V4', score: 'CVSS:4.0/AV:N' }] }, 'none'],
    ['nothing', { severity: undefined }, 'none'],
  ])('has its severity by %s', async (_, more, severity) => {
    const { osv } = await openOsv(found({ ...ghsa, ...more }))
    expect(await osv.advisory('CVE-2023-44487')).toEqual({
      kind: 'found',
      value: { id: 'CVE-2023-44487', severity, summary: 'HTTP/2 Stream Cancellation Attack' },
    })
  })

  test('is asked for once, and so is one that does not exist', async () => {
    const { osv, server } = await openOsv((asked, response) =>
      asked.path.endsWith('3094') ? sendJson(response, ghsa) : status(404)(asked, response),
    )
    for (let round = 0; round < 2; round++) {
      expect((await osv.advisory('CVE-2024-3094')).kind).toBe('found')
      expect((await osv.advisory('CVE-2024-9999')).kind).toBe('absent')
    }
    expect(server.asked.map(({ path }) => path)).toEqual(['/v1/vulns/CVE-2024-3094', '/v1/vulns/CVE-2024-9999'])
  })

  test('is asked for again after a failure', async () => {
    let fails = true
    const { osv } = await openOsv((asked, response) => (fails ? status(500) : found(ghsa))(asked, response))
    expect((await osv.advisory('CVE-2024-3094')).kind).toBe('unreachable')
    fails = false
    expect((await osv.advisory('CVE-2024-3094')).kind).toBe('found')
  })

  test('is asked for by its id, which leads nowhere else', async () => {
    const { osv, server } = await openOsv(status(404))
    await osv.advisory('../query?x=')
    expect(server.asked[0]!.path).toBe('/v1/vulns/..%2Fquery%3Fx%3D')
  })
})

describe('what is no answer', () => {
  const cases: [string, Handler, string][] = [
    ['5xx', status(503), 'unreachable'],
    ['a refusal', status(403), 'unreachable'],
    ['a limit', status(429, { 'retry-after': '3600' }), 'limited'],
    ['nothing changed', status(304), 'unreachable'],
    ['another shape', found({ id: 5 }), 'unreachable'],
    ['a list', found([ghsa]), 'unreachable'],
    [
      'another type',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end('<html>')
      },
      'unreachable',
    ],
    [
      'a truncated body',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"id"')
        response.destroy()
      },
      'unreachable',
    ],
    ['silence', () => {}, 'unreachable'],
  ]

  test.each(cases)('%s', async (_, handler, kind) => {
    const { osv } = await openOsv(handler, { patienceMs: 200, retryPausesMs: [] })
    expect((await osv.advisory('CVE-2024-3094')).kind).toBe(kind)
  })
})
