import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { channelNames } from '../../src/contract/channels.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { openSenders } from '../helpers/senders.ts'
import { openService } from '../operations/service.ts'

const messagesOfChannel = Number(process.env.DELIVERY_MESSAGES ?? 10_000)
const concurrency = 4
/** A sender stops after half of it, so it must be longer than a few slow writes. */
const leaseSeconds = 10

async function open() {
  const folder = temporaryFolder()
  const service = await openService(join(folder, 'relt.db'))
  const senders = await openSenders(service, { place: folder, messagesOfChannel, concurrency, leaseSeconds })
  return { db: service.db, ...senders }
}

test('ten killed senders lose nothing, and repeat at most what was on its way', { timeout: 3_600_000 }, async () => {
  const { db, arrived, start } = await open()
  const total = messagesOfChannel * channelNames.length
  for (let kill = 1; kill <= 10; kill++) {
    const { child, ended } = start()
    const goal = Math.floor((total * kill) / 12)
    while (arrived.size < goal && child.exitCode === null) await sleep(5)
    child.kill('SIGKILL')
    await ended
  }
  // What has arrived without a stored outcome is still due, once the leases of killed senders have expired.
  const isWaiting = () => db.selectFrom('delivery').select('id').where('not_before', 'is not', null).executeTakeFirst()
  while (await isWaiting()) {
    await sleep(leaseSeconds * 1000)
    expect(await start().ended).toBe(0)
  }
  const rows = await db.selectFrom('delivery').select(['public_id', 'status']).execute()
  expect(new Set(arrived.keys())).toEqual(new Set(rows.map((row) => row.public_id)))
  expect(rows.filter(({ status }) => status !== 'delivered')).toEqual([])
  const repeated = [...arrived.values()].reduce((sum, count) => sum + count - 1, 0)
  expect(repeated).toBeLessThanOrEqual(10 * concurrency)
})

test('three senders send nothing twice', { timeout: 3_600_000 }, async () => {
  const { arrived, start } = await open()
  expect(await Promise.all([1, 2, 3].map(() => start().ended))).toEqual([0, 0, 0])
  expect(arrived.size).toBe(messagesOfChannel * channelNames.length)
  expect([...arrived.values()].every((count) => count === 1)).toBe(true)
})
