import { expect, test } from 'vitest'
import { eachWebhook, type WebhookName } from '../../../src/contract/channels.ts'
import { openWebhooks, sealWebhooks } from '../../../src/operations/notifications/webhook.ts'
import type { SealedWebhook, StoredWebhook, WebhookOwner } from '../../../src/store/notifications/webhook.ts'
import type { Sealed } from '../../../src/util/seal.ts'
import { newVault } from '../../helpers/vault.ts'

const slack = 'https://hooks.slack.example/services/T0/B0/xyz'
const teams = 'https://hooks.teams.example/services/T0/B0/abc'
const account = { userId: 1, subscriptionId: null }
const subscription = { userId: 1, subscriptionId: 7 }

async function unlocked() {
  const vault = await newVault()
  return async () => vault
}

const stored = (owner: WebhookOwner, channel: WebhookName, webhook: SealedWebhook): StoredWebhook => ({
  ...owner,
  channel,
  ...webhook,
})

async function seal(unlock: Awaited<ReturnType<typeof unlocked>>, address: string, userId = 1): Promise<SealedWebhook> {
  return (await sealWebhooks(unlock, userId, { slack_webhook: address })).slack!
}

test('an address is sealed, each time anew; an empty one removes, and an absent one changes nothing', async () => {
  const unlock = await unlocked()
  const changes = await sealWebhooks(unlock, 1, { slack_webhook: slack, teams_webhook: '', generic_webhook: undefined })
  expect(changes).toEqual({ slack: expect.objectContaining({ keyId: expect.any(String) }), teams: null })
  expect(Buffer.from(changes.slack!.sealed).includes('xyz')).toBe(false)
  expect((await seal(unlock, slack)).sealed).not.toEqual(changes.slack!.sealed)
})

test('webhooks of an account and of its subscriptions open apart', async () => {
  const unlock = await unlocked()
  const webhooksFor = await openWebhooks(unlock, [
    stored(account, 'slack', await seal(unlock, slack)),
    stored(subscription, 'slack', await seal(unlock, teams)),
    stored(subscription, 'generic', await seal(unlock, slack)),
  ])
  const reveal = (owner: WebhookOwner) => eachWebhook(({ field }) => webhooksFor(owner)[field]?.reveal() ?? null)
  const none = eachWebhook(() => null)
  expect(reveal(account)).toEqual({ ...none, slack_webhook: slack })
  expect(reveal(subscription)).toEqual({ ...none, slack_webhook: teams, generic_webhook: slack })
})

test('a webhook does not open for another user, nor with another key, nor when it was changed', async () => {
  const unlock = await unlocked()
  const sealed = await seal(unlock, slack)
  const open = (webhook: SealedWebhook, owner = account, by = unlock) =>
    openWebhooks(by, [stored(owner, 'slack', webhook)])
  await expect(open(sealed, { ...account, userId: 2 })).rejects.toThrow('does not open')
  await expect(open(sealed, account, await unlocked())).rejects.toThrow('a key that this store does not have')
  const changed = Buffer.from(sealed.sealed)
  changed[changed.length - 1]! ^= 1
  await expect(open({ ...sealed, sealed: changed as Uint8Array as Sealed })).rejects.toThrow('does not open')
})

test('without a webhook the key is not asked for', async () => {
  const unlock = () => Promise.reject(new Error('asked'))
  expect(await sealWebhooks(unlock, 1, { slack_webhook: '', teams_webhook: undefined })).toEqual({ slack: null })
  const webhooksFor = await openWebhooks(unlock, [])
  expect(webhooksFor(account)).toEqual(eachWebhook(() => null))
})
