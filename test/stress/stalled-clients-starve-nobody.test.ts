import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/cli.ts'
import { ServerProcess } from '../helpers/server-process.ts'
import { closesUnread, exchange, openServer } from '../server/socket.ts'

/** A connection that the server does not end stays open until the test fails by its own limit. */
const patienceMs = 3_600_000
const untilClosed = (port: number, bytes: string) => exchange(port, bytes, { end: false, patienceMs })

test('a head that does not end is given up after ten seconds', async () => {
  const { port } = await openServer()
  const head = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '
  const began = performance.now()
  expect(await untilClosed(port, head)).toMatch(/^HTTP\/1\.1 408 /)
  expect(performance.now() - began).toBeGreaterThan(9000)
})

test('1,500 sockets that stall are closed, and others are answered meanwhile', async () => {
  const { port, url } = await openServer()
  const head =
    'POST /api/relt/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const slow = Array.from({ length: 1500 }, () => untilClosed(port, head))
  // More than one address may have at once: those beyond are refused.
  await expect.poll(async () => (await fetch(`${url}/api/relt/v1/stats`).catch(() => undefined))?.status).toBe(200)
  await Promise.all(slow)
  expect((await fetch(`${url}/api/relt/v1/stats`)).status).toBe(200)
})

test('100 answers that nobody reads are closed, in little memory', async () => {
  const server = new ServerProcess(temporaryFolder())
  await server.start()
  onTestFinished(() => server.kill())
  const line = 'GET /api/relt/v1/projects?per_page=100&include_releases=true HTTP/1.1\r\nHost: x\r\n\r\n'
  const { port } = new URL(server.url)
  await Promise.all(Array.from({ length: 100 }, () => closesUnread(Number(port), line.repeat(50))))
  expect((await fetch(`${server.url}/stats`)).status).toBe(200)
  if (process.platform === 'linux') expect(server.peakMegabytes).toBeLessThanOrEqual(600)
})

test('a connection without a request ends after a while', async () => {
  const { port } = await openServer()
  expect(await untilClosed(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
})
