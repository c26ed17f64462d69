import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { channelNames } from '../../src/contract/channels.ts'
import { insertDeliveries } from '../../src/store/delivery.ts'
import { ensureTarget, wakeTarget } from '../../src/store/delivery-target.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { openService } from '../operations/service.ts'

const worker = fileURLToPath(new URL('../helpers/deliver-worker.ts', import.meta.url))
const messagesOfChannel = Number(process.env.DELIVERY_MESSAGES ?? 10_000)
const concurrency = 4
/** A sender stops after half of it, so it must be longer than a few slow writes. */
const leaseSeconds = 10

/** A store with messages on each channel, and a receiver that counts how often each arrives. */
async function open() {
  const folder = temporaryFolder()
  const { db, user, call } = await openService(join(folder, 'relt.db'))
  await db.updateTable('user').set({ email: 'ada@example.com' }).where('id', '=', user.id).execute()
  const webhook = (name: string) => `https://${name}.example/hook`
  await call('updateAccountSettings', {
    body: { slack_webhook: webhook('slack'), teams_webhook: webhook('teams'), generic_webhook: webhook('generic') },
  })
  for (const channel of channelNames) {
    const { id: targetId } = await ensureTarget(db, { userId: user.id, channel, subscriptionId: null })
    const row = { userId: user.id, createdAt: 1, kind: 'test', channel, targetId, target: null } as const
    const state = { status: 'pending', notBefore: 1, error: null } as const
    for (let left = messagesOfChannel; left > 0; left -= 500) {
      await insertDeliveries(
        db,
        Array.from({ length: Math.min(500, left) }, () => ({ ...row, ...state })),
      )
    }
    await wakeTarget(db, targetId, 1)
  }
  const arrived = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let id = ''
    for await (const chunk of request) id += chunk
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const start = () => {
    const child = spawn(process.execPath, [worker, folder, address, String(concurrency), String(leaseSeconds)], {
      stdio: 'inherit',
    })
    return { child, ended: new Promise<number | null>((resolve) => child.once('exit', resolve)) }
  }
  return { db, arrived, start }
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
