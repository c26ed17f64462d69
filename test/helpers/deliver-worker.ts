import { join } from 'node:path'
import { channelNames } from '../../src/contract/channels.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openPostgres } from '../../src/db/postgres/open.ts'
import { createSender } from '../../src/operations/notifications/deliver.ts'
import { makeVault } from './vault.ts'

/**
 * Sends what is due in a store to a receiver, as a process that can be killed: FOLDER or the JSON of a database's address,
 * ADDRESS, concurrency, lease in seconds.
 */
const [place, address, concurrency, lease] = process.argv.slice(2) as [string, string, string, string]
const db = place.startsWith('{') ? await openPostgres(JSON.parse(place)) : await openDatabase(join(place, 'relt.db'))
const vault = await makeVault(db, Buffer.alloc(32, 5))
const sender = createSender(
  { db, vault: async () => vault },
  {
    concurrency: Number(concurrency),
    leaseSeconds: Number(lease),
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
      toLinks: async () => ({ page: null, settings: null, unsubscribe: null }),
      close: async () => {},
    },
  },
)
await sender.drain()
await db.destroy()
