import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { type ErrorCode, errorTable, ReltError } from '../../src/errors.ts'
import { isUnavailable, sendEntries } from '../../src/spool/send.ts'
import { testNow } from '../helpers/cli.ts'
import { entryWith, openSpool, server } from './entries.ts'

const codes = Object.keys(errorTable) as ErrorCode[]
const toError = (code: ErrorCode, origin?: object) => new ReltError(code, `It is ${code}.`, origin && { origin })
const uploaded = { success: true, run_id: 'crun_a', ingested_at: null, processing_status: 'ready' }

async function all<T>(sending: AsyncIterable<T>): Promise<T[]> {
  const sent: T[] = []
  for await (const each of sending) sent.push(each)
  return sent
}

/** The server of the entries, with this call. */
const connectWith = (call: unknown) => async () => ({ client: { call: call as Client['call'] } as Client, server })

/** Sends three uploads; the first meets this error. */
async function sendThree(error: Error) {
  const { spool } = openSpool()
  for (const number of [1, 2, 3]) spool.put(entryWith(number), testNow)
  const requests: { body: unknown; report: string; idempotencyKey: string }[] = []
  const call = async (_: string, { body, report, idempotencyKey }: (typeof requests)[number]) => {
    requests.push({ body, report: String(report), idempotencyKey })
    if (requests.length === 1) throw error
    return uploaded
  }
  const sent = await all(sendEntries({ spool, connect: connectWith(call) }, spool.list()))
  return { spool, requests, sent }
}

describe('an upload is worth spooling', () => {
  const unavailable = ['unreachable', 'busy', 'rate_limited']
  const onServer = ['store_full', 'store_read_only', 'store_unusable', 'key_unavailable', 'internal']

  test.each(codes)('after %s when that says nothing about the upload', (code) => {
    expect(isUnavailable(toError(code))).toBe(unavailable.includes(code))
    expect(isUnavailable(toError(code, {}))).toBe([...unavailable, ...onServer].includes(code))
  })

  test('after no error that is not of relt', () => {
    expect(isUnavailable(new Error('fetch failed'))).toBe(false)
  })
})

describe('sending', () => {
  const stopping = ['unreachable', 'busy', 'rate_limited', 'unauthenticated', 'forbidden']
  const stoppingFromServer = ['store_full', 'store_read_only', 'store_unusable', 'key_unavailable']

  test.each(codes)('stops after %s only when the next upload would meet it too', async (code) => {
    for (const origin of [undefined, {}]) {
      const { spool, sent } = await sendThree(toError(code, origin))
      const stops = [...stopping, ...(origin ? stoppingFromServer : [])].includes(code)
      expect(sent.map(({ entry }) => entry.cluster)).toEqual(stops ? ['shop-1'] : ['shop-1', 'shop-2', 'shop-3'])
      expect(sent[0]!.isStopping).toBe(stops)
      const left = [...spool.list(), ...spool.listRefused()].map(({ cluster }) => cluster)
      expect(left).toEqual(stops ? ['shop-1', 'shop-2', 'shop-3'] : ['shop-1'])
    }
  })

  test.each<[ErrorCode, boolean]>([
    ['invalid_param', true],
    ['too_large', true],
    ['not_found', true],
    ['conflict', true],
    ['forbidden', false],
    ['unauthenticated', false],
    ['rate_limited', false],
    ['unreachable', false],
    ['internal', false],
    ['bad_answer', false],
    ['cancelled', false],
    ['usage', false],
    ['key_unavailable', false],
  ])('counts %s as a refusal of the upload: %s', async (code, refused) => {
    const { spool, sent } = await sendThree(toError(code))
    expect(sent[0]!.outcome).toMatchObject({ error: { code } })
    const [failed] = refused ? spool.listRefused() : spool.list()
    expect(failed!.attempts).toEqual({ count: 1, lastError: `It is ${code}.`, refused })
    expect([spool.usage().refused, existsSync(join(spool.folder, 'refused', `${failed!.id}.upload`))]).toEqual(
      refused ? [1, true] : [0, false],
    )
  })

  test('goes on after an error that is not of relt, which is no refusal', async () => {
    const { spool, sent } = await sendThree(new TypeError('x is not a function'))
    expect(sent.map(({ outcome }) => 'uploaded' in outcome)).toEqual([false, true, true])
    expect(sent[0]!.outcome).toMatchObject({ error: { code: 'internal', message: 'x is not a function' } })
    expect(spool.list()[0]!.attempts).toEqual({ count: 1, lastError: 'x is not a function', refused: false })
  })

  test('sends each upload as it was put, under its own key, in its order, and removes it', async () => {
    const { spool, requests, sent } = await sendThree(toError('unreachable'))
    expect(requests).toHaveLength(1)
    const again: typeof requests = []
    const call = async (_: string, request: (typeof requests)[number]) => {
      again.push({ ...request, report: String(request.report) })
      return uploaded
    }
    await all(sendEntries({ spool, connect: connectWith(call) }, spool.list()))
    const expected = [1, 2, 3].map((number) => {
      const { body, report, idempotencyKey } = entryWith(number)
      return { body, report: String(report), idempotencyKey }
    })
    expect(again).toEqual(expected)
    expect([sent.length, spool.list()]).toEqual([1, []])
  })

  test('passes over an upload that another process has sent or dropped meanwhile', async () => {
    const { spool } = openSpool()
    for (const number of [1, 2]) spool.put(entryWith(number), testNow)
    const entries = spool.list()
    spool.remove(entries[0]!.id)
    const connect = connectWith(async () => uploaded)
    const sent = await all(sendEntries({ spool, connect }, entries))
    expect(sent.map(({ entry }) => entry.cluster)).toEqual(['shop-2'])
  })

  test('passes over an upload whose key is lost', async () => {
    const { home, spool } = openSpool({ env: { RELT_MASTER_KEY: 'ab'.repeat(32) } })
    spool.put(entryWith(1), testNow)
    const { spool: other } = openSpool({ home, env: { RELT_MASTER_KEY: 'cd'.repeat(32) } })
    other.put(entryWith(2), testNow)
    const sent = await all(sendEntries({ spool: other, connect: connectWith(async () => uploaded) }, other.entries()))
    expect(sent.map(({ entry, outcome }) => [entry.cluster, 'uploaded' in outcome])).toEqual([
      ['shop-1', false],
      ['shop-2', true],
    ])
    expect(other.list()).toMatchObject([{ cluster: 'shop-1', attempts: { count: 1, refused: false } }])
  })

  test('passes over a broken upload', async () => {
    const { spool } = openSpool()
    const ids = [1, 2].map((number) => spool.put(entryWith(number), testNow).id)
    const file = join(spool.folder, `${ids[0]}.upload`)
    writeFileSync(file, readFileSync(file).subarray(0, -1))
    const sent = await all(sendEntries({ spool, connect: connectWith(async () => uploaded) }, spool.entries()))
    expect(sent.map(({ entry }) => entry.id)).toEqual([ids[1]])
    expect(spool.usage()).toMatchObject({ waiting: 0, broken: 1 })
  })

  test('goes on with the next server when one cannot be connected to', async () => {
    const { spool } = openSpool()
    const other = { ...server, url: 'https://other.example' }
    for (const number of [1, 2]) spool.put(entryWith(number), testNow)
    spool.put(entryWith(3, { server: other }), testNow)
    const connect = async (url: string) => {
      if (url === server.url) throw toError('usage')
      return { ...(await connectWith(async () => uploaded)()), server: other }
    }
    const sent = await all(sendEntries({ spool, connect }, spool.entries()))
    expect(sent.map(({ entry, isStopping }) => [entry.cluster, isStopping])).toEqual([
      ['shop-1', true],
      ['shop-3', false],
    ])
    expect(spool.list().map(({ attempts }) => attempts.count)).toEqual([0, 0])
  })

  test('after a refused team goes on with the other teams of the server', async () => {
    const { spool } = openSpool()
    for (const [number, team] of [
      [1, 'red'],
      [2, 'red'],
      [3, undefined],
    ] as const) {
      spool.put(entryWith(number, { server: { ...server, team } }), testNow)
    }
    const connect = async (_: string, team: string | undefined) => {
      const call = async () => {
        if (team === 'red') throw toError('forbidden')
        return uploaded
      }
      return connectWith(call)()
    }
    const sent = await all(sendEntries({ spool, connect }, spool.entries()))
    expect(sent.map(({ entry }) => entry.cluster)).toEqual(['shop-1', 'shop-3'])
  })

  test('sends what was put without a user as whoever is signed in, and nothing of another user', async () => {
    const { spool } = openSpool()
    for (const [number, user] of [
      [1, null],
      [2, 'bob'],
      [3, 'ada'],
    ] as const) {
      spool.put(entryWith(number, { server: { ...server, user } }), testNow)
    }
    const sent = await all(sendEntries({ spool, connect: connectWith(async () => uploaded) }, spool.entries()))
    expect(sent.map(({ entry, outcome }) => [entry.cluster, 'uploaded' in outcome])).toEqual([
      ['shop-1', true],
      ['shop-2', false],
      ['shop-3', true],
    ])
    expect(spool.list().map(({ cluster, attempts }) => [cluster, attempts.count])).toEqual([['shop-2', 0]])
  })

  test('opens one connection for all uploads of a server', async () => {
    const { spool } = openSpool()
    for (const number of [1, 2, 3]) spool.put(entryWith(number), testNow)
    const connect = vi.fn(connectWith(async () => uploaded))
    expect(await all(sendEntries({ spool, connect }, spool.entries()))).toHaveLength(3)
    expect(connect).toHaveBeenCalledTimes(1)
  })

  test('that is abandoned leaves the upload as it was', async () => {
    const { spool } = openSpool()
    for (const number of [1, 2]) spool.put(entryWith(number), testNow)
    const abandon = new AbortController()
    const call = () => {
      abandon.abort()
      return new Promise(() => {})
    }
    const sending = sendEntries({ spool, connect: connectWith(call), signal: abandon.signal }, spool.entries())
    expect((await all(sending)).map(({ isStopping }) => isStopping)).toEqual([true])
    expect(spool.list().map(({ attempts }) => attempts.count)).toEqual([0, 0])
  })

  test('that is abandoned before it begins sends nothing', async () => {
    const { spool, requests } = { ...openSpool(), requests: [] as string[] }
    spool.put(entryWith(1), testNow)
    const call = async () => void requests.push('called')
    const sending = sendEntries({ spool, connect: connectWith(call), signal: AbortSignal.abort() }, spool.entries())
    expect([await all(sending), requests]).toEqual([[], []])
  })
})
