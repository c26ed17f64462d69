import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { type ErrorCode, ReltError } from '../../src/errors.ts'
import { submit } from '../../src/submit/submit.ts'
import { smallReports } from '../helpers/small-store.ts'
import { openSpool } from '../spool/entries.ts'
import { openContext } from './context.ts'

const submission = { body: { cluster: { name: 'blue' } }, report: Buffer.from(JSON.stringify(smallReports[0])) }
const uploaded = { success: true, run_id: 'crun_a', ingested_at: null, processing_status: 'ready' }

/** A client that answers each call with the next of these, and remembers the keys of uploads. */
function toClient(...answers: (object | ReltError)[]) {
  const keys: (string | undefined)[] = []
  const call = async (_: string, { idempotencyKey }: { idempotencyKey?: string }) => {
    keys.push(idempotencyKey)
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  return { keys, client: { call: call as Client['call'] } }
}

describe('a submission that the server takes', () => {
  test('is uploaded under a key of its own, and the server is heard', async () => {
    const { keys, client } = toClient({ ...uploaded, warnings: ['one row left out'] }, uploaded)
    const { context, warnings, steps } = openContext(client)
    expect((await submit(context, submission)).uploaded).toMatchObject({ run_id: 'crun_a' })
    await submit(context, submission)
    expect(new Set(keys).size).toBe(2)
    expect(keys.every((key) => key?.startsWith('relt-'))).toBe(true)
    expect(warnings).toEqual(['one row left out'])
    expect(steps).toEqual(['store', 'end', 'store', 'end'])
    expect(context.spool.list()).toEqual([])
  })

  test('may bring its own key', async () => {
    const { keys, client } = toClient(uploaded)
    await submit(openContext(client).context, { ...submission, idempotencyKey: 'nightly-2026-09-01' })
    expect(keys).toEqual(['nightly-2026-09-01'])
  })
})

describe('a submission that the server cannot take now', () => {
  const down = () => new ReltError('unreachable', 'radar.example does not answer.')

  test('waits in the spool under the key that was sent', async () => {
    const { keys, client } = toClient(down())
    const { context, home, warnings } = openContext(client)
    const { spooled, ...outcome } = await submit(context, submission, { offlineOk: true })
    expect(outcome).toMatchObject({ reason: { code: 'unreachable' } })
    expect(spooled).toMatchObject({ server: context.server, run: { cluster_name: 'blue', score: 61 } })
    expect(openSpool({ home }).spool.list()).toMatchObject([{ id: spooled!.spool_id, idempotencyKey: keys[0] }])
    expect(warnings).toEqual([expect.stringContaining(`The report is queued as ${spooled!.spool_id}`)])
  })

  test('fails without offlineOk, and without a spool', async () => {
    for (const more of [{}, { spool: undefined }, { server: undefined }]) {
      const context = { ...openContext(toClient(down()).client).context, ...more }
      const offlineOk = Object.keys(more).length > 0
      await expect(submit(context, submission, { offlineOk })).rejects.toMatchObject({ code: 'unreachable' })
    }
  })

  test('fails with the error of the server when the spool takes no more', async () => {
    const { client } = toClient(down())
    const { spool } = openSpool({ limits: { count: 0, bytes: 0 } })
    const context = { ...openContext(client).context, spool }
    await expect(submit(context, submission, { offlineOk: true })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/does not answer\. The report could not be queued either: The spool .* is full/),
      cause: { code: 'store_unusable' },
    })
  })
})

test.each<ErrorCode>(['invalid_param', 'unauthenticated', 'forbidden', 'store_unusable', 'internal'])(
  'a submission that is refused with %s is not spooled',
  async (code) => {
    const { context } = openContext(toClient(new ReltError(code, 'No.')).client)
    await expect(submit(context, submission, { offlineOk: true })).rejects.toMatchObject({ code })
    expect(context.spool.list()).toEqual([])
  },
)
