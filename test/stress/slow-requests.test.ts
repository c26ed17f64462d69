import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/cli.ts'
import { ServerProcess } from '../helpers/server-process.ts'
import { closesUnread, exchange, openServer } from '../server/socket.ts'

const seconds = async (work: Promise<string>) => {
  const begin = Date.now()
  const answer = await work
  return { answer, took: (Date.now() - begin) / 1000 }
}

test('a head that does not end is given up after ten seconds', async () => {
  const { port } = await openServer()
  const head = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '
  const { answer, took } = await seconds(exchange(port, head, { end: false, patienceMs: 20_000 }))
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(took).toBeGreaterThan(9)
  expect(took).toBeLessThan(13)
})

test('1,500 sockets that stall are closed within a minute, and others are answered meanwhile', async () => {
  const { port, url } = await openServer()
  const head =
    'POST /api/relt/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const slow = Array.from({ length: 1500 }, () => seconds(exchange(port, head, { end: false, patienceMs: 90_000 })))
  // More than one address may have at once: those beyond are refused.
  await expect.poll(async () => (await fetch(`${url}/api/relt/v1/stats`).catch(() => undefined))?.status).toBe(200)
  for (const { took } of await Promise.all(slow)) expect(took).toBeLessThan(60)
  expect((await fetch(`${url}/api/relt/v1/stats`)).status).toBe(200)
})

test('100 answers that nobody reads are closed within a minute, in little memory', async () => {
  const server = new ServerProcess(temporaryFolder())
  await server.start()
  onTestFinished(() => server.kill())
  const line = 'GET /api/relt/v1/projects?per_page=100&include_releases=true HTTP/1.1\r\nHost: x\r\n\r\n'
  const { port } = new URL(server.url)
  const closed = await Promise.all(Array.from({ length: 100 }, () => closesUnread(Number(port), line.repeat(50))))
  for (const took of closed) expect(took).toBeLessThan(60)
  expect((await fetch(`${server.url}/stats`)).status).toBe(200)
  if (process.platform === 'linux') expect(server.peakMegabytes).toBeLessThanOrEqual(600)
})

test('a connection without a request ends after a while', async () => {
  const { port } = await openServer()
  const { took } = await seconds(
    exchange(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', { end: false, patienceMs: 20_000 }),
  )
  expect(took).toBeLessThan(10)
})
