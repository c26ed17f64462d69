import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { type ErrorCode, errorTable, ReltError } from '../../src/errors.ts'
import { isUnavailable, sendEntries } from '../../src/spool/send.ts'
import { testNow } from '../helpers/cli.ts'
import { entryWith, openSpool } from './entries.ts'

const codes = Object.keys(errorTable) as ErrorCode[]
const errorOf = (code: ErrorCode, origin?: object) => new ReltError(code, `It is ${code}.`, origin && { origin })
const uploaded = { success: true, run_id: 'crun_a', ingested_at: null, processing_status: 'ready' }

async function all<T>(sending: AsyncIterable<T>): Promise<T[]> {
  const sent: T[] = []
  for await (const each of sending) sent.push(each)
  return sent
}

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
  const client = { call: call as unknown as Client['call'] } as Client
  const sent = await all(sendEntries(spool, client, spool.list()))
  return { spool, requests, sent }
}

describe('an upload is worth spooling', () => {
  const unavailable = ['unreachable', 'busy', 'rate_limited']
  const onServer = ['store_full', 'store_read_only', 'store_unusable', 'key_unavailable', 'internal']

  test.each(codes)('after %s when that says nothing about the upload', (code) => {
    expect(isUnavailable(errorOf(code))).toBe(unavailable.includes(code))
    expect(isUnavailable(errorOf(code, {}))).toBe([...unavailable, ...onServer].includes(code))
  })

  test('after no error that is not of relt', () => {
    expect(isUnavailable(new Error('fetch failed'))).toBe(false)
  })
})

describe('sending', () => {
  const stopping = [
    'unreachable',
    'busy',
    'rate_limited',
    'store_full',
    'store_read_only',
    'store_unusable',
    'key_unavailable',
    'unauthenticated',
    'forbidden',
  ]

  test.each(codes)('stops after %s only when the next upload would meet it too', async (code) => {
    const { spool, sent } = await sendThree(errorOf(code))
    const stops = stopping.includes(code)
    expect(sent.map(({ entry }) => entry.cluster)).toEqual(stops ? ['shop-1'] : ['shop-1', 'shop-2', 'shop-3'])
    expect(spool.list().map(({ cluster }) => cluster)).toEqual(stops ? ['shop-1', 'shop-2', 'shop-3'] : ['shop-1'])
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
  ])('counts %s as a refusal of the upload: %s', async (code, refused) => {
    const { spool, sent } = await sendThree(errorOf(code))
    expect(sent[0]!.outcome).toMatchObject({ error: { code } })
    expect(spool.list()[0]!.attempts).toEqual({ count: 1, lastError: `It is ${code}.`, refused })
  })

  test('goes on after an error that is not of relt, which is no refusal', async () => {
    const { spool, sent } = await sendThree(new TypeError('x is not a function'))
    expect(sent.map(({ outcome }) => 'uploaded' in outcome)).toEqual([false, true, true])
    expect(sent[0]!.outcome).toMatchObject({ error: { code: 'internal', message: 'x is not a function' } })
    expect(spool.list()[0]!.attempts).toEqual({ count: 1, lastError: 'x is not a function', refused: false })
  })

  test('sends each upload as it was put, under its own key, in its order, and removes it', async () => {
    const { spool, requests, sent } = await sendThree(errorOf('unreachable'))
    expect(requests).toHaveLength(1)
    const client = { call: (async () => uploaded) as unknown as Client['call'] } as Client
    const again: typeof requests = []
    const call = async (_: string, request: (typeof requests)[number]) => {
      again.push({ ...request, report: String(request.report) })
      return uploaded
    }
    await all(sendEntries(spool, { ...client, call: call as unknown as Client['call'] }, spool.list()))
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
    const client = { call: (async () => uploaded) as unknown as Client['call'] } as Client
    const sent = await all(sendEntries(spool, client, entries))
    expect(sent.map(({ entry }) => entry.cluster)).toEqual(['shop-2'])
  })
})
