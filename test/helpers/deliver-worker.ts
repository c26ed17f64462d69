import { join } from 'node:path'
import { channelNames } from '../../src/contract/channels.ts'
import { openDatabase } from '../../src/db/open.ts'
import { OutboxSender } from '../../src/operations/deliver.ts'
import { makeVault } from './vault.ts'

/** Sends what is due in a store to a receiver, as a process that can be killed: FOLDER, ADDRESS, then the concurrency. */
const [folder, address, concurrency] = process.argv.slice(2) as [string, string, string]
const db = await openDatabase(join(folder, 'relt.db'))
const vault = await makeVault(db, Buffer.alloc(32, 5))
const sender = new OutboxSender(
  { db, vault: async () => vault },
  {
    concurrency: Number(concurrency),
    leaseSeconds: 2,
    now: () => Math.floor(Date.now() / 1000),
    carrier: {
      channels: channelNames,
      load: async () => ({
        secondsBetween: 0,
        render: () => ({ kind: 'post', contentType: 'text/plain', body: '' }),
        async send({ id }) {
          const { status } = await fetch(address, { method: 'POST', body: id })
          return { result: 'delivered', httpStatus: status }
        },
      }),
      toolsFor: async (_message, signal) => ({
        post: async () => ({ status: null, reason: '', canRetry: false }),
        mail: undefined,
        signingSecrets: [],
        now: () => 0,
        signal,
      }),
      linksOf: async () => ({ page: null, settings: null, unsubscribe: null }),
      close: async () => {},
    },
  },
)
await sender.drain()
await db.destroy()
