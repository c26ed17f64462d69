import { channelSecret, eachWebhook, type WebhookField, webhookChannels } from '../../contract/channels.ts'
import { webhookSealOwner } from '../../store/keys/sealed-piece.ts'
import type { StoredWebhook, WebhookChanges, WebhookOwner } from '../../store/notifications/webhook.ts'
import type { Secret } from '../../util/secret.ts'
import type { Unlock } from '../keys/vault.ts'

export type Webhooks = Record<WebhookField, Secret | null>

/** Absent fields do not change; an empty address or null removes the webhook. Needs the key only to set an address. */
export async function sealWebhooks(
  unlock: Unlock,
  userId: number,
  addresses: { [F in WebhookField]?: string | null | undefined },
): Promise<WebhookChanges> {
  const changes: WebhookChanges = {}
  for (const { name, field } of webhookChannels) {
    const address = addresses[field]
    if (address === undefined) continue
    // The seal is bound to the user, so a webhook cannot be decrypted in another user's row.
    const owner = webhookSealOwner(userId)
    changes[name] = !address ? null : (await unlock()).seal(owner, 'webhook', 0, Buffer.from(address))
  }
  return changes
}

/** Decrypts the webhooks of an account or subscription. Needs the key only if there are any. */
export async function openWebhooks(
  unlock: Unlock,
  stored: StoredWebhook[],
): Promise<(owner: WebhookOwner) => Webhooks> {
  const vault = stored.length > 0 ? await unlock() : undefined
  const opened = new Map(
    stored.map(({ keyId, sealed, channel, ...owner }) => {
      const piece = { kind: 'webhook', part: 0, keyId, sealed }
      return [toKey(owner, channel), vault!.open(webhookSealOwner(owner.userId), piece).toString('utf8')]
    }),
  )
  return (owner) =>
    eachWebhook((channel) => {
      const address = opened.get(toKey(owner, channel.name))
      return address === undefined ? null : channelSecret(channel, address)
    })
}

const toKey = ({ userId, subscriptionId }: WebhookOwner, channel: string) => `${userId}/${subscriptionId}/${channel}`
