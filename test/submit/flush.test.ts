import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { ReltError } from '../../src/errors.ts'
import type { SpoolServer } from '../../src/spool/entry-file.ts'
import type { SendResult } from '../../src/spool/send.ts'
import { type FlushContext, flush, sendWaiting } from '../../src/submit/flush.ts'
import { testNow } from '../helpers/cli.ts'
import { entryWith, openSpool, server } from '../spool/entries.ts'

const uploaded = { success: true, run_id: 'crun_a', ingested_at: null, processing_status: 'ready' }

/** A spool and a client for each address, which answers with `failing[cluster]` or takes the upload. */
function open(failing: Record<string, ReltError> = {}, user: string | null = 'ada') {
  const { spool } = openSpool()
  const sent: string[] = []
  const connected: string[] = []
  const connect = async (url: string) => {
    connected.push(url)
    const call = async (_: string, { body }: { body: { cluster: { name: string } } }) => {
      const { name } = body.cluster
      if (failing[name]) throw failing[name]
      sent.push(name)
      return uploaded
    }
    const named: SpoolServer = { name: null, url, user }
    return { client: { call: call as unknown as Client['call'] } as Client, server: named }
  }
  return { spool, sent, connected, context: { spool, connect, onProgress: () => {} } }
}

async function sendAll(context: FlushContext): Promise<SendResult[]> {
  const sent: SendResult[] = []
  await sendWaiting(context, { onResult: (result) => void sent.push(result) })
  return sent
}

test('flush sends what waits for this server and user, and for nobody else', async () => {
  const { spool, sent, context } = open()
  spool.put(entryWith(1), testNow)
  spool.put(entryWith(2, { server: { ...server, user: 'bob' } }), testNow)
  spool.put(entryWith(3, { server: { ...server, user: null } }), testNow)
  spool.put(entryWith(4, { server: { ...server, url: 'https://other.example' } }), testNow)
  expect(await flush(context, server)).toHaveLength(2)
  expect(sent).toEqual(['shop-1', 'shop-3'])
  expect(spool.list().map(({ cluster }) => cluster)).toEqual(['shop-2', 'shop-4'])
})

test('flush leaves refused uploads alone, and opens no client when nothing else waits', async () => {
  const { spool, connected, context } = open()
  spool.put(entryWith(1), testNow)
  spool.failed(spool.list()[0]!, { error: 'no such cluster', refused: true })
  expect(await flush(context, server)).toEqual([])
  expect(connected).toEqual([])
})

test('flush begins no upload when its time is over', async () => {
  const { spool, sent, context } = open()
  for (const number of [1, 2]) spool.put(entryWith(number), testNow)
  expect(await flush(context, server, { timeoutMs: -1 })).toEqual([])
  expect(sent).toEqual([])
})

test('sendWaiting goes on with the next server when one does not answer', async () => {
  const { spool, sent, connected, context } = open({ 'shop-1': new ReltError('unreachable', 'nobody there') })
  const other = { ...server, url: 'https://other.example' }
  for (const number of [1, 2]) spool.put(entryWith(number), testNow)
  spool.put(entryWith(3, { server: other }), testNow)
  const outcomes = await sendAll(context)
  expect(outcomes.map(({ entry }) => entry.cluster)).toEqual(['shop-1', 'shop-3'])
  expect({ sent, connected }).toEqual({ sent: ['shop-3'], connected: [server.url, other.url] })
  expect(spool.list().map(({ attempts }) => attempts.count)).toEqual([1, 0])
})

test("sendWaiting does not send another user's upload", async () => {
  const { spool, sent, context } = open({}, null)
  spool.put(entryWith(1), testNow)
  const [first] = await sendAll(context)
  expect(first!.outcome).toMatchObject({ error: { code: 'forbidden', hint: `Sign in: relt auth login ${server.url}` } })
  expect({ sent, attempts: spool.list()[0]!.attempts.count }).toEqual({ sent: [], attempts: 0 })
})

test('two processes do not send at once', async () => {
  const { spool, context } = open()
  spool.put(entryWith(1), testNow)
  await spool.alone(() => expect(flush(context, server)).rejects.toMatchObject({ code: 'busy' }))
})
