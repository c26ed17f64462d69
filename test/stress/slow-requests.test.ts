import { expect, test } from 'vitest'
import { exchange, openServer } from '../server/socket.ts'

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

test('bodies that come too slowly are given up after two minutes, and others are answered meanwhile', async () => {
  const { port, url } = await openServer()
  const head =
    'POST /api/relt/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const slow = Array.from({ length: 500 }, () => seconds(exchange(port, head, { end: false, patienceMs: 140_000 })))
  for (let i = 0; i < 60; i++) {
    expect((await fetch(`${url}/api/relt/v1/stats`)).status).toBe(200)
    await new Promise((next) => setTimeout(next, 1000))
  }
  for (const { answer, took } of await Promise.all(slow)) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(took).toBeLessThan(125)
  }
})

test('a connection without a request ends after a while', async () => {
  const { port } = await openServer()
  const { took } = await seconds(
    exchange(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', { end: false, patienceMs: 20_000 }),
  )
  expect(took).toBeLessThan(10)
})
