import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { JobHeartbeats } from '../../src/agent/job-heartbeat.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Received {
  method: string | undefined
  url: string | undefined
  body: string
}

/** A receiver on a real socket; it answers with these statuses in turn, and `hang` never answers. */
async function startReceiver(statuses: (number | 'hang')[] = []) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await toText(request)
    received.push({ method: request.method, url: request.url, body })
    const status = statuses.shift() ?? 200
    if (status !== 'hang') response.writeHead(status).end()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function toText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function makeHeartbeats(env: Record<string, string> = {}, timeoutMs = 5000) {
  const failures: string[] = []
  const onFailure = (job: string, reason: string) => failures.push(`${job}: ${reason}`)
  return { heartbeats: new JobHeartbeats({ env, onFailure, timeoutMs, pausesMs: [1, 1] }), failures }
}

test('start and success arrive in order, at the address of the job and its path', async () => {
  const { received, url } = await startReceiver()
  const { heartbeats, failures } = makeHeartbeats()
  heartbeats.started('nightly', `${url}/secret/?rid=1`)
  heartbeats.ended('nightly', `${url}/secret/?rid=1`, { state: 'done' })
  await heartbeats.settled(5000)
  expect(received).toEqual([
    { method: 'POST', url: '/secret/start?rid=1', body: '' },
    { method: 'POST', url: '/secret/?rid=1', body: '' },
  ])
  expect(failures).toEqual([])
})

test('a failure has the end of its detail, of at most 10 kB and with secrets masked', async () => {
  const { received, url } = await startReceiver()
  const { heartbeats } = makeHeartbeats({ SCANNER_TOKEN: 'hunter2hunter2' })
  const detail = `first${'é'.repeat(6000)}\nlogin with hunter2hunter2 failed`
  heartbeats.ended('nightly', `${url}/secret`, { state: 'failed', detail })
  await heartbeats.settled(5000)
  const [{ url: path, body } = { url: '', body: '' }] = received
  expect(path).toBe('/secret/fail')
  expect(body).toMatch(/^é+\nlogin with \*\*\* failed$/)
  expect(Buffer.byteLength(body)).toBeGreaterThan(9990)
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(10_000)
})

test('a failed delivery is retried twice', async () => {
  const { received, url } = await startReceiver([500, 503])
  const { heartbeats, failures } = makeHeartbeats()
  heartbeats.started('nightly', `${url}/secret`)
  await heartbeats.settled(5000)
  expect(received.map(({ url }) => url)).toEqual(['/secret/start', '/secret/start', '/secret/start'])
  expect(failures).toEqual([])
})

test('a delivery that fails three times is reported without the address', async () => {
  const { received, url } = await startReceiver([404, 404, 404])
  const { heartbeats, failures } = makeHeartbeats()
  heartbeats.started('nightly', `${url}/secret`)
  heartbeats.started('other', 'http://127.0.0.1:1/secret')
  await heartbeats.settled(5000)
  expect(received).toHaveLength(3)
  expect(failures.toSorted()).toEqual([
    'nightly: The receiver answered 404.',
    'other: The receiver cannot be reached (ECONNREFUSED).',
  ])
})

test('a receiver that never answers delays nobody, and its signals do not pile up', async () => {
  const { received, url } = await startReceiver(['hang'])
  const { heartbeats } = makeHeartbeats({}, 200)
  for (let index = 0; index < 1000; index++) heartbeats.started('nightly', `${url}/${index}`)
  await heartbeats.settled(10_000)
  // The first is retried; of those behind it, the last four are left.
  expect(received.map(({ url }) => url)).toEqual([0, 0, 996, 997, 998, 999].map((index) => `/${index}/start`))
})
