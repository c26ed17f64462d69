import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { channelTable } from '../../src/contract/channel-table.ts'
import { channelSecret } from '../../src/contract/channels.ts'
import type { Db } from '../../src/db/open.ts'
import { plain } from '../../src/render/terminal/terminal.ts'
import { insertDeliveries } from '../../src/store/notifications/delivery.ts'
import { setWebhooks } from '../../src/store/notifications/webhook.ts'
import { seal } from '../../src/util/seal.ts'
import type { Secret } from '../../src/util/secret.ts'

const address = 'https://hooks.slack.com/services/T0/B0/xyz'
const short = 'https://hooks.slack.com/services/…'
const secret = channelSecret(channelTable.slack, address)

test.each([
  ['a template', () => `${secret}`],
  ['a sum', () => `${'to '}${secret}`.slice(3)],
  ['a join', () => [secret].join()],
  ['JSON', () => JSON.parse(JSON.stringify({ secret })).secret],
  ['YAML', () => stringify({ secret }).trim().replace('secret: ', '')],
  ['an inspection', () => inspect(secret)],
  ['an inspection of what holds it', () => /https\S+…/.exec(inspect({ deep: { secret } }))?.[0]],
  ['an error', () => new Error(String(secret)).message],
])('is shortened in %s', (_, print) => {
  expect(print()).toBe(short)
})

test('is in no copy, and revealed by name only', () => {
  expect(JSON.stringify({ ...secret }) + JSON.stringify(structuredClone(Object.entries(secret)))).not.toContain('xyz')
  expect(secret.reveal()).toBe(address)
})

/** Checked by the compiler alone: nothing here runs. */
export function misuses(db: Db, key: Uint8Array): unknown[] {
  const owner = { userId: 1, subscriptionId: null, madeBy: null }
  const delivery = { userId: 1, createdAt: 0, kind: 'test', channel: 'slack', targetId: 1 } as const
  const state = { status: 'pending', notBefore: 0, error: null } as const
  // @ts-expect-error a secret is no text
  const text: string = secret
  // @ts-expect-error nor is a text a secret
  const other: Secret = address
  return [
    text,
    other,
    // @ts-expect-error it cannot be printed
    plain(secret),
    // @ts-expect-error nor can its letters be taken
    secret.slice(0, 3),
    // @ts-expect-error an address in clear is stored nowhere
    setWebhooks(db, owner, { slack: { keyId: 'k', sealed: Buffer.from(address) } }),
    // @ts-expect-error not as a text either
    setWebhooks(db, owner, { slack: address }),
    setWebhooks(db, owner, { slack: { keyId: 'k', sealed: seal(key, 'x', Buffer.from(address)) } }),
    // @ts-expect-error nor by a query of its own
    db.insertInto('webhook').values({ user_id: 1, channel: 'slack', key_id: 'k', sealed: Buffer.from(address) }),
    // @ts-expect-error a profile is stored sealed, too
    db.updateTable('cluster_config').set({ sealed: Buffer.from('{}') }),
    // @ts-expect-error the log of deliveries has no address in clear
    insertDeliveries(db, [{ ...delivery, ...state, target: address }]),
    insertDeliveries(db, [{ ...delivery, ...state, target: secret }]),
    // @ts-expect-error there is no such channel
    setWebhooks(db, owner, { pigeon: null }),
  ]
}
