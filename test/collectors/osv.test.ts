import { describe, expect, test } from 'vitest'
import { askOsv } from '../../src/collectors/osv/index.ts'
import { openHttp } from './http.ts'
import { type Handler, openLocalServer, sendJson } from './local-server.ts'

const ghsa = {
  id: 'GHSA-qppj-fm5r-hxr3',
  aliases: ['CVE-2023-44487', 'BIT-envoy-2023-44487', 'GO-2023-2102'],
  summary: 'HTTP/2 Stream Cancellation Attack',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' }],
}

async function openOsv(handler: Handler, settings = {}) {
  const server = await openLocalServer(handler)
  const http = openHttp(settings)
  return { server, ask: (id: string) => askOsv(http, server.url, id) }
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

const vector4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'

describe('an advisory', () => {
  test.each([
    ['a vector', {}, 'high'],
    ['a vector, whatever word is beside it', { database_specific: { severity: 'MODERATE' } }, 'high'],
    ['a word alone', { severity: undefined, database_specific: { severity: 'MODERATE' } }, 'medium'],
    ['a word in the place of a vector', { severity: [{ type: 'Ubuntu', score: 'low' }] }, 'low'],
    ['a word that nobody knows', { database_specific: { severity: 'AWFUL' } }, 'high'],
    ['a word of another kind', { database_specific: { severity: 5 } }, 'high'],
    ['a vector of CVSS 4', { severity: [{ type: 'CVSS_V4', score: vector4 }] }, 'critical'],
    ['a vector that is none', { severity: [{ type: 'CVSS_V4', score: 'CVSS:4.0/AV:N' }] }, 'none'],
    ['nothing', { severity: undefined, database_specific: null }, 'none'],
  ])('has its severity by %s', async (_, more, severity) => {
    const { ask } = await openOsv(found({ ...ghsa, ...more }))
    expect(await ask('CVE-2023-44487')).toEqual({
      kind: 'found',
      advisory: {
        id: 'CVE-2023-44487',
        aliases: ['GHSA-qppj-fm5r-hxr3'],
        severity,
        summary: 'HTTP/2 Stream Cancellation Attack',
      },
    })
  })

  test('that was withdrawn is none', async () => {
    const { ask } = await openOsv(found({ ...ghsa, withdrawn: '2026-01-01T00:00:00Z' }))
    expect(await ask('CVE-2023-44487')).toEqual({ kind: 'absent' })
  })

  test('that there is not, is none', async () => {
    const { ask } = await openOsv(status(404))
    expect(await ask('CVE-2023-44487')).toEqual({ kind: 'absent' })
  })

  test('is asked for by its id, which leads nowhere else', async () => {
    const { ask, server } = await openOsv(status(404))
    await ask('../query?x=')
    expect(server.asked[0]!.path).toBe('/v1/vulns/..%2Fquery%3Fx%3D')
  })
})

describe('what is no answer', () => {
  const cases: [string, Handler][] = [
    ['5xx', status(503)],
    ['a refusal', status(403)],
    ['a limit', status(429, { 'retry-after': '3600' })],
    ['nothing changed', status(304)],
    ['another shape', found({ id: 5 })],
    ['a list', found([ghsa])],
    [
      'another type',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end('<html>')
      },
    ],
    [
      'a truncated body',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"id"')
        response.destroy()
      },
    ],
    ['silence', () => {}],
  ]

  test.each(cases)('%s', async (of, handler) => {
    const { ask } = await openOsv(handler, { retryPausesMs: [], ...(of === 'silence' && { patienceMs: 200 }) })
    expect(await ask('CVE-2024-3094')).toEqual({ kind: 'unknown' })
  })
})
