import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { HttpApp } from '../../src/server/http/app.ts'
import { BodyBudget } from '../../src/server/http/body-budget.ts'
import { type ListenOptions, listen } from '../../src/server/http/listen.ts'
import { createSlots } from '../../src/server/http/slots.ts'
import { readTrustedProxies } from '../../src/server/http/trusted-proxies.ts'
import { scan } from '../reports/scan.ts'
import { openHttp } from './http.ts'
import { exchange, openServer } from './socket.ts'

const stallMs = 400
/** More than the buffers of both sides hold. */
const large = 'x'.repeat(64 * 1024 * 1024)

async function open(app: HttpApp['app'], options: Partial<ListenOptions> = {}) {
  const server = await listen({ app, answerKept: () => false }, { host: '127.0.0.1', port: 0, stallMs, ...options })
  onTestFinished(() => server.stop(0))
  return server
}

const answering = (body: string) => ({ fetch: async () => new Response(body) }) as unknown as HttpApp['app']

function dial(port: number, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

describe('a connection', () => {
  test('that drips a body is answered 408 and closed', async () => {
    const { app } = await openHttp()
    const { port } = await open(app)
    const head =
      'POST /api/relt/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n'
    const socket = dial(port)
    let isAnswered = false
    // After reading: a write to a closed connection would discard the answer that has come.
    const drip = setInterval(() => setImmediate(() => !isAnswered && socket.write(' ')), 20)
    onTestFinished(() => clearInterval(drip))
    socket.once('data', () => {
      isAnswered = true
    })
    socket.write(head)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /)
    socket.resume()
    await once(socket, 'close')
  })

  test('whose answer nobody reads is closed', async () => {
    const { port } = await open(answering(large))
    const socket = dial(port)
    socket.write(get)
    await once(socket, 'readable')
    // The kernel reports the reset only when we read or write again.
    await sleep(stallMs * 4)
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    await once(socket, 'close')
    expect(received).toBeLessThan(large.length)
  })

  test('whose answer is read slowly but steadily gets all of it', async () => {
    const { port } = await open(answering(large), { stallMs: 2000 })
    const socket = dial(port)
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
      socket.pause()
      setTimeout(() => socket.resume(), 1)
    })
    socket.write(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    await once(socket, 'close')
    expect(received).toBeGreaterThan(large.length)
  })

  test('beyond those of its address is closed, and other addresses are served', async () => {
    const { port } = await open(answering('ok'), { connections: { total: 100, perAddress: 3 } })
    const held = [dial(port), dial(port), dial(port)]
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    expect(await exchange(port, get)).toBe('')
    const other = dial(port, '127.0.0.2')
    other.write(get)
    expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    held[0]!.destroy()
    await expect.poll(() => exchange(port, get)).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('that pipelines requests gets one answer at a time, in order', async () => {
    let count = 0
    const { port } = await open({ fetch: async () => new Response(`answer ${++count}`) } as unknown as HttpApp['app'])
    expect((await exchange(port, get.repeat(20))).match(/answer \d+/g)).toEqual(
      Array.from({ length: 20 }, (_, i) => `answer ${i + 1}`),
    )
  })

  test('that does not read its first answer has no second one made', async () => {
    let count = 0
    const { port } = await open({
      fetch: async () => {
        count++
        return new Response(large)
      },
    } as unknown as HttpApp['app'])
    const socket = dial(port)
    socket.write(get.repeat(50))
    await once(socket, 'readable')
    await sleep(stallMs / 2)
    expect(count).toBe(1)
  })

  test('that pipelines more requests than may wait is closed', async () => {
    let count = 0
    const { port } = await open({
      fetch: async () => {
        count++
        return new Response(large)
      },
    } as unknown as HttpApp['app'])
    expect(await exchange(port, get.repeat(150), { end: false })).toBe('')
    expect(count).toBe(1)
  })

  test('of a trusted proxy does not count for an address', async () => {
    const trusted = readTrustedProxies('127.0.0.1')
    const { port } = await open(answering('ok'), { connections: { total: 100, perAddress: 1 }, trusted })
    await once(dial(port), 'connect')
    expect(await exchange(port, get)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

test('eleven uploads that stall do not stop the uploads of others', async () => {
  const http = await openHttp({ bodyBudget: new BodyBudget({ total: 1_000_000, perOwner: 300_000 }) })
  const [ada, bob] = [await http.signUp('ada'), await http.signUp('bob')]
  const { port, url } = await open(http.app, { stallMs: 60_000 })
  const body = ' '.repeat(90_000)
  for (let i = 0; i < 11; i++) {
    const socket = dial(port)
    socket.write(
      `POST /api/relt/v1/cluster-reports HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada.headers.authorization}\r\nContent-Type: application/json\r\nContent-Length: 99000\r\n\r\n${body}`,
    )
  }
  await sleep(300)
  const upload = await fetch(`${url}/api/relt/v1/cluster-reports`, {
    method: 'POST',
    headers: { ...bob.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ report: scan([{ message: 'x'.repeat(100_000) }]) }),
  })
  expect(upload.status).toBe(201)
})

test('uploads of one user that are too large together wait for each other', async () => {
  const bodyBudget = new BodyBudget({ total: 1_000_000, perOwner: 150_000 })
  const { http, signUp } = await openHttp({ bodyBudget })
  const { headers } = await signUp('ada')
  const { url } = await open(http.app)
  const upload = async (i: number) => {
    const body = JSON.stringify({ report: scan([{ message: `${i}`.repeat(100_000) }]) })
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    return (await fetch(`${url}/api/relt/v1/cluster-reports`, init)).status
  }
  expect(await Promise.all(Array.from({ length: 8 }, (_, i) => upload(i)))).toEqual(Array(8).fill(201))
  expect(bodyBudget.free).toBe(1_000_000)
})

test('slots run a few at a time, and no owner takes all', async () => {
  const slots = createSlots({ running: 3, runningPerOwner: 2, waiting: 3, waitingPerOwner: 2 })
  const order: string[] = []
  const take = (owner: string) =>
    slots.take(owner).then((release) => {
      order.push(owner)
      return release
    })
  const [first, second] = await Promise.all([take('a'), take('a')])
  const third = take('a')
  const fourth = take('a')
  await expect(take('a')).rejects.toMatchObject({ code: 'busy' })
  const other = await take('b')
  expect(order).toEqual(['a', 'a', 'b'])
  second()
  second()
  const release = await third
  first()
  await fourth
  expect(order).toEqual(['a', 'a', 'b', 'a', 'a'])
  other()
  release()
})

test('owners take turns, whatever each has waiting', async () => {
  const slots = createSlots({ running: 1, runningPerOwner: 1, waiting: 100, waitingPerOwner: 50 })
  const order: string[] = []
  const work = async (owner: string) => {
    const release = await slots.take(owner)
    order.push(owner)
    release()
  }
  const release = await slots.take('a')
  const all = ['a', 'a', 'a', 'b', 'a', 'c', 'b'].map(work)
  release()
  await Promise.all(all)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
})

test('a slot is waited for so long', async () => {
  const slots = createSlots({ running: 1, runningPerOwner: 1, waiting: 3, waitingPerOwner: 3, patienceMs: 20 })
  const release = await slots.take('a')
  await expect(slots.take('b')).rejects.toMatchObject({ code: 'busy' })
  const next = slots.take('c')
  release()
  const last = await next
  last()
  await slots.take('d')
})

test('unread answers hold a few slots, and a connection without one is closed', async () => {
  const { port } = await openServer()
  const line = 'GET /api/relt/v1/projects?per_page=100&include_releases=true HTTP/1.1\r\nHost: x\r\n\r\n'
  for (let i = 0; i < 103; i++) dial(port).write(line.repeat(50))
  const answer = exchange(port, line, { end: false })
  await expect(answer).resolves.toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n/)
})
