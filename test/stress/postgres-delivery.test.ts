import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { channelNames } from '../../src/contract/channels.ts'
import { toAddress } from '../helpers/postgres.ts'
import { openSenders } from '../helpers/senders.ts'
import { openService } from '../operations/service.ts'

const server = inject('postgres')
const messagesOfChannel = Number(process.env.DELIVERY_MESSAGES ?? 1000)

test.skipIf(!server)('three senders on one database lose nothing and send nothing twice', async () => {
  const service = await openService()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(service.db)
  const place = JSON.stringify(toAddress(server!, rows[0]!.name))
  const { arrived, start } = await openSenders(service, {
    place,
    messagesOfChannel,
    concurrency: 4,
    leaseSeconds: 60,
  })
  expect(await Promise.all([1, 2, 3].map(() => start().ended))).toEqual([0, 0, 0])
  const states = await service.db.selectFrom('delivery').select('status').distinct().execute()
  expect(states).toEqual([{ status: 'delivered' }])
  expect(arrived.size).toBe(messagesOfChannel * channelNames.length)
  expect(Math.max(...arrived.values())).toBe(1)
})
