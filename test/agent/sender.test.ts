import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sender } from '../../src/agent/sender.ts'
import type { Client } from '../../src/client/client.ts'
import { ReltError } from '../../src/errors.ts'
import type { NewEntry } from '../../src/spool/spool.ts'
import { testNow } from '../helpers/cli.ts'
import { entryWith, openSpool, server } from '../spool/entries.ts'

const uploaded = { success: true, run_id: 'crun_a', ingested_at: null, processing_status: 'ready' }
const other = { ...server, url: 'https://other.example' }
const down = new ReltError('unreachable', 'nobody there')

type Limits = NonNullable<Parameters<typeof openSpool>[0]>['limits']

/** A sender on a clock that stands still; uploads of the clusters in `failing` fail. Pauses have their full length. */
function open({ user = 'ada', limits }: { user?: string; limits?: Limits } = {}) {
  const { spool, warnings } = openSpool(limits ? { limits } : {})
  const clock = { now: testNow }
  const failing: Record<string, Error> = {}
  const tried: string[] = []
  const results: string[] = []
  const connect = async (url: string) => {
    const call = async (_: string, { body }: { body: { cluster: { name: string } } }) => {
      tried.push(body.cluster.name)
      const error = failing[body.cluster.name]
      if (error) throw error
      return uploaded
    }
    return { client: { call: call as unknown as Client['call'] } as Client, server: { name: null, url, user } }
  }
  const sender = new Sender({
    spool,
    connect,
    now: () => clock.now,
    random: () => 0.999,
    onResult: ({ entry, outcome }) =>
      void results.push(`${entry.cluster} ${'uploaded' in outcome ? 'sent' : 'failed'}`),
  })
  const put = (number: number, more: Partial<NewEntry> = {}) => spool.put(entryWith(number, more), clock.now).id
  /** The uploads that a turn at so many seconds after the start tries. */
  const turnAt = async (seconds: number) => {
    clock.now = testNow + seconds
    tried.length = 0
    await sender.turn()
    return tried.map((name) => name.slice('shop-'.length)).join(' ')
  }
  return { spool, warnings, sender, failing, results, put, turnAt, tried }
}

test('uploads are sent in order, and then nothing waits', async () => {
  const { sender, results, put, turnAt, spool } = open()
  for (const number of [2, 1, 3]) put(number)
  expect(sender.lastGoodAt).toBeUndefined()
  expect(await turnAt(0)).toBe('2 1 3')
  expect(results).toEqual(['shop-2 sent', 'shop-1 sent', 'shop-3 sent'])
  expect([spool.usage().waiting, sender.lastGoodAt]).toEqual([0, testNow])
  expect(await turnAt(60)).toBe('')
  expect(sender.lastGoodAt).toBe(testNow + 60)
})

test('a server that is down is asked after pauses that double, and again at once when it is back', async () => {
  const { failing, put, turnAt } = open()
  for (const number of [1, 2]) put(number)
  failing['shop-1'] = down
  const asked: number[] = []
  for (let second = 0; second < 160; second++) if ((await turnAt(second)) === '1') asked.push(second)
  expect(asked).toEqual([0, 5, 15, 35, 75, 155])
  delete failing['shop-1']
  expect(await turnAt(315)).toBe('1 2')
  put(3)
  expect(await turnAt(316)).toBe('3')
})

test('the pauses begin anew after an upload that was taken', async () => {
  const { failing, put, turnAt } = open()
  put(1)
  failing['shop-1'] = down
  for (const second of [0, 5, 15]) expect(await turnAt(second)).toBe('1')
  delete failing['shop-1']
  expect(await turnAt(35)).toBe('1')
  put(2)
  failing['shop-2'] = down
  expect([await turnAt(36), await turnAt(40), await turnAt(41)]).toEqual(['2', '', '2'])
})

test('each server has a circuit of its own', async () => {
  const { failing, put, turnAt } = open()
  put(1)
  put(2, { server: other })
  failing['shop-1'] = down
  expect(await turnAt(0)).toBe('1 2')
  put(3, { server: other })
  put(4)
  expect([await turnAt(1), await turnAt(5)]).toEqual(['3', '1'])
})

test('a server that says when to come back is asked no earlier', async () => {
  const { failing, put, turnAt } = open()
  put(1)
  failing['shop-1'] = new ReltError('rate_limited', 'slow down', { retryAfter: 120 })
  expect([await turnAt(0), await turnAt(119), await turnAt(120)]).toEqual(['1', '', '1'])
})

test('a clock that goes back does not silence the sender', async () => {
  const { failing, put, turnAt } = open()
  put(1)
  failing['shop-1'] = down
  expect([await turnAt(0), await turnAt(-86_400)]).toEqual(['1', '1'])
})

test('an upload that fails alone waits alone, also behind others', async () => {
  const { failing, put, turnAt } = open()
  for (const number of [1, 2]) put(number)
  failing['shop-1'] = new ReltError('internal', 'a bug', { origin: {} })
  expect(await turnAt(0)).toBe('1 2')
  put(3)
  expect(await turnAt(1)).toBe('3')
  expect([await turnAt(4), await turnAt(5), await turnAt(14), await turnAt(15)]).toEqual(['', '1', '', '1'])
  delete failing['shop-1']
  expect([await turnAt(34), await turnAt(35), await turnAt(36)]).toEqual(['', '1', ''])
})

test('uploads that fail alone meanwhile wait with the others', async () => {
  const { failing, put, turnAt } = open()
  put(1)
  for (const name of ['shop-1', 'shop-2']) failing[name] = new ReltError('bad_answer', 'what is this')
  expect(await turnAt(0)).toBe('1')
  put(2)
  expect([await turnAt(1), await turnAt(2), await turnAt(5)]).toEqual(['2', '', '1 2'])
  expect([await turnAt(14), await turnAt(15)]).toEqual(['', '1 2'])
})

test('uploads that failed alone stay known while their server is down', async () => {
  const { failing, put, turnAt } = open()
  for (const number of [1, 2]) put(number)
  failing['shop-1'] = new ReltError('internal', 'a bug', { origin: {} })
  failing['shop-2'] = down
  expect(await turnAt(0)).toBe('1 2')
  delete failing['shop-2']
  expect([await turnAt(5), await turnAt(6), await turnAt(15)]).toEqual(['1 2', '', '1'])
})

test('a refused upload is tried once', async () => {
  const { spool, failing, put, turnAt } = open()
  for (const number of [1, 2]) put(number)
  failing['shop-1'] = new ReltError('invalid_param', 'no')
  expect([await turnAt(0), await turnAt(3600)]).toEqual(['1 2', ''])
  expect(spool.usage()).toMatchObject({ waiting: 0, refused: 1 })
})

test("another user's uploads stop nobody, and are reported at ever longer intervals", async () => {
  const { results, put, turnAt } = open()
  put(1, { server: { ...server, user: 'bob' } })
  put(2)
  expect(await turnAt(0)).toBe('2')
  expect(results).toEqual(['shop-1 failed', 'shop-2 sent'])
  for (let second = 1; second < 60; second++) await turnAt(second)
  expect(results.filter((text) => text === 'shop-1 failed')).toHaveLength(4)
})

test('nothing is thrown while another process sends', async () => {
  const { spool, put, turnAt } = open()
  put(1)
  await spool.alone(async () => expect(await turnAt(0)).toBe(''))
  expect(await turnAt(1)).toBe('1')
})

test('no upload is begun after the signal', async () => {
  const { sender, put, tried } = open()
  put(1)
  await sender.turn({ signal: AbortSignal.abort() })
  expect(tried).toEqual([])
})

test('uploads with ids of an older version are sent', async () => {
  const { spool, put, turnAt, failing } = open()
  const id = put(1)
  // The seal names the id, so only what is not opened can be renamed: it fails alone.
  renameSync(join(spool.folder, `${id}.upload`), join(spool.folder, 'spl_0000000010123abcd.upload'))
  put(2)
  failing['shop-2'] = down
  expect(await turnAt(0)).toBe('2')
  expect(spool.listBroken()).toEqual(['spl_0000000010123abcd'])
})
