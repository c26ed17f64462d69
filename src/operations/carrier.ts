import { readDeliverySettings } from '../config/delivery.ts'
import { isDeliveryOn } from '../config/delivery-switch.ts'
import type { Env } from '../config/env.ts'
import { channels } from '../contract/channels.ts'
import type { MessageLinks } from '../notify/message.ts'
import { openSendTools } from '../notify/send-tools.ts'
import type { OutboxMessage } from '../store/delivery.ts'
import type { MailScope } from '../store/mail-consent.ts'
import { version } from '../version.ts'
import type { Carrier } from './deliver.ts'
import type { Notifying } from './outbox.ts'
import { getSigningSecrets } from './signing-secret.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** Sends over the network, by the settings of the environment; undefined where delivery is switched off. */
export async function openCarrier(env: Env, now: () => number, store: Notifying): Promise<Carrier | undefined> {
  if (!isDeliveryOn(env)) return undefined
  const { webhooks, mail, ca, publicUrl } = readDeliverySettings(env)
  const opened = await openSendTools({
    post: { ...webhooks, ca, userAgent: `relt/${version}` },
    mail: mail && { ...mail, ca },
  })
  return {
    // Webhooks need nothing but their addresses.
    channels: channels.flatMap(({ name, isSecret }) => (isSecret || mail ? [name] : [])),
    load: async (channel) => channels.find(({ name }) => name === channel)!.load(),
    toolsFor: async ({ userId, subscriptionId, channel }, signal) => {
      const isSigned = channel === 'generic'
      const signingSecrets = isSigned
        ? await getSigningSecrets(store.db, await store.vault(), { userId, subscriptionId }, now())
        : []
      return { ...opened, signingSecrets, now, signal }
    },
    linksOf: async (message) => linksOf(message, publicUrl, store),
    close: () => opened.close(),
  }
}

/** The server has no pages for messages and settings yet. */
async function linksOf(
  message: OutboxMessage,
  publicUrl: string | undefined,
  { vault }: Notifying,
): Promise<MessageLinks> {
  const scope = message.channel === 'email' ? mailScopeOf(message) : undefined
  const unsubscribe =
    publicUrl && scope ? `${publicUrl}/unsubscribe?token=${unsubscribeToken(await vault(), scope)}` : null
  return { page: null, settings: null, unsubscribe }
}

/** The mails that end with the link of a mail; undefined for tests. */
function mailScopeOf({ userId, kind, digest, subscriptionId }: OutboxMessage): MailScope | undefined {
  if (kind === 'test') return undefined
  if (digest) return { userId, scope: digest.period }
  return subscriptionId === null ? { userId, scope: 'clusters' } : { userId, scope: 'subscription', subscriptionId }
}
