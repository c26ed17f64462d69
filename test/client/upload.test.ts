import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { smallReports } from '../helpers/small-store.ts'
import { json, openHostile } from './hostile.ts'
import { openClient, openServerWithUser } from './open.ts'

const done = JSON.stringify({
  success: true,
  run_id: 'crun_a',
  ingested_at: '2026-09-01 12:00:00',
  processing_status: 'ready',
})

async function toBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

/** Takes an upload after so many failures, and keeps what came. */
async function openTaker(failures: number) {
  const bodies: string[] = []
  const { url, requests } = await openHostile(async (request, response, count) => {
    bodies.push(await toBody(request))
    if (count <= failures) return void request.socket.destroy()
    response.writeHead(201, json).end(done)
  })
  return { client: openClient({ url: `${url}/x` }), requests, bodies }
}

test('the report travels byte for byte, between what surrounds it', async () => {
  const { client, requests, bodies } = await openTaker(0)
  const report = '{ "checks" : {}, "n": 1.0, "u": "\\u00e9" }'
  await client.call('uploadReport', { body: { environment: 'test' }, report: Buffer.from(`\ufeff ${report}\n`) })
  await client.call('uploadReport', { body: {}, report: Buffer.from(report) })
  expect(bodies).toEqual([`{"environment":"test","report":${report}}`, `{"report":${report}}`])
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  for (const key of keys) expect(key).toMatch(/^relt-[0-9a-f-]{36}$/)
  expect(new Set(keys).size).toBe(2)
})

test('a large report is packed', async () => {
  const { client, requests, bodies } = await openTaker(0)
  const report = JSON.stringify({ checks: {}, filler: 'x'.repeat(100_000) })
  await client.call('uploadReport', { body: {}, report: Buffer.from(report), idempotencyKey: 'mine' })
  expect(bodies).toEqual([`{"report":${report}}`])
  expect(requests[0]!.headers).toMatchObject({ 'content-encoding': 'gzip', 'idempotency-key': 'mine' })
  expect(Number(requests[0]!.headers['content-length'])).toBeLessThan(10_000)
})

test('an upload whose answer is lost is sent again with the same key', async () => {
  const { client, requests, bodies } = await openTaker(2)
  expect(await client.call('uploadReport', { body: {}, report: Buffer.from('{"checks":{}}') })).toMatchObject({
    run_id: 'crun_a',
  })
  expect(bodies).toEqual(Array(3).fill('{"report":{"checks":{}}}'))
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test.each(['{"checks":{}},"environment":"prod"', '{"checks":', '', '[1'])(
  'what is not one JSON value is not sent: %s',
  async (report) => {
    const { client, requests } = await openTaker(0)
    const upload = client.call('uploadReport', { body: {}, report: Buffer.from(report) })
    await expect(upload).rejects.toMatchObject({ code: 'invalid_json' })
    expect(requests).toEqual([])
  },
)

test('one report uploaded many times at once is stored once', async () => {
  const { server } = await openServerWithUser({ hasThreads: true })
  const report = Buffer.from(JSON.stringify(smallReports[0]))
  const client = openClient(server)
  const all = await Promise.all(Array.from({ length: 8 }, () => client.call('uploadReport', { body: {}, report })))
  expect(new Set(all.map(({ run_id }) => run_id)).size).toBe(1)
  expect(all.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
  expect((await client.call('listReports', {})).total).toBe(1)
})
