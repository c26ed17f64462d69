import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { channelNames } from '../../src/contract/channels.ts'
import { insertDeliveries } from '../../src/store/notifications/delivery.ts'
import { ensureTarget, wakeTarget } from '../../src/store/notifications/delivery-target.ts'
import type { TestService } from '../operations/service.ts'

const worker = fileURLToPath(new URL('deliver-worker.ts', import.meta.url))

interface Senders {
  /** Of the store, as `deliver-worker.ts` takes it. */
  place: string
  messagesOfChannel: number
  concurrency: number
  leaseSeconds: number
}

/** Adds messages on each channel to a store. Returns a receiver that counts how often each arrives, and what starts a sender. */
export async function openSenders(
  { db, user, call }: TestService,
  { place, messagesOfChannel, concurrency, leaseSeconds }: Senders,
) {
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
  /** A process that sends all that is due. `ended` is its exit code. */
  const start = () => {
    const child = spawn(process.execPath, [worker, place, address, String(concurrency), String(leaseSeconds)], {
      stdio: 'inherit',
    })
    return { child, ended: new Promise<number | null>((resolve) => child.once('exit', resolve)) }
  }
  return { arrived, start }
}
