import { hasPages, readDeliverySettings } from '../../config/delivery.ts'
import { isDeliveryOn } from '../../config/delivery-switch.ts'
import type { Env } from '../../config/env.ts'
import { channels } from '../../contract/channels.ts'
import { loadDelivery } from '../../notify/index.ts'
import type { MessageLinks, NotificationEvent } from '../../notify/message.ts'
import { openSendTools } from '../../notify/send-tools.ts'
import type { OutboxMessage } from '../../store/notifications/delivery.ts'
import type { MailScope } from '../../store/notifications/mail-consent.ts'
import { version } from '../../version.ts'
import type { Carrier } from './deliver.ts'
import type { NotificationStore } from './outbox.ts'
import { getSigningSecrets } from './signing-secret.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** A carrier that sends over the network, configured by the environment; undefined if delivery is disabled. */
export async function openCarrier(env: Env, now: () => number, store: NotificationStore): Promise<Carrier | undefined> {
  if (!isDeliveryOn(env)) return undefined
  const { webhooks, mail, ca, publicUrl } = readDeliverySettings(env)
  const opened = await openSendTools({
    post: { ...webhooks, ca, userAgent: `relt/${version}` },
    mail: mail && { ...mail, ca },
  })
  return {
    // Webhook channels need no configuration apart from their addresses.
    channels: channels.flatMap(({ name, isSecret }) => (isSecret || mail ? [name] : [])),
    load: loadDelivery,
    toolsFor: async ({ userId, subscriptionId, channel }, signal) => {
      const isSigned = channel === 'generic'
      const signingSecrets = isSigned
        ? await getSigningSecrets(store.db, await store.vault(), { userId, subscriptionId }, now())
        : []
      return { ...opened, signingSecrets, now, signal }
    },
    toLinks: async (message, events) => toLinks(message, events, { publicUrl, hasPages: hasPages(env), store }),
    close: () => opened.close(),
  }
}

async function toLinks(
  message: OutboxMessage,
  events: readonly NotificationEvent[],
  { publicUrl, hasPages, store }: { publicUrl: string | undefined; hasPages: boolean; store: NotificationStore },
): Promise<MessageLinks> {
  const scope = message.channel === 'email' ? toMailScope(message) : undefined
  if (!publicUrl) return { page: null, settings: null, unsubscribe: null }
  const unsubscribe = scope ? `${publicUrl}/unsubscribe?token=${unsubscribeToken(await store.vault(), scope)}` : null
  if (!hasPages) return { page: null, settings: null, unsubscribe }
  return { page: publicUrl + toPage(events), settings: `${publicUrl}/subscriptions`, unsubscribe }
}

/** The page about the events of a message. */
function toPage([event, ...others]: readonly NotificationEvent[]) {
  if (!event || others.length > 0) return '/subscriptions'
  switch (event.type) {
    case 'release.published':
    case 'release.promoted':
    case 'release.security':
    case 'support.ends':
      return `/projects/${event.project.id}`
    case 'artifact.compromised':
      return `/runs/${event.runId}/freshness`
    case 'report.regressed':
    case 'gate.failed':
      return `/runs/${event.runId}`
    case 'fleet.report':
      return '/trends'
    case 'cluster.silent':
      return '/agents'
    case 'exception.expires':
      return `/exceptions/${event.exceptionId}`
    default:
      return '/account'
  }
}

/** The mails that the unsubscribe link of a mail ends; undefined for tests. */
function toMailScope({ userId, kind, digest, subscriptionId }: OutboxMessage): MailScope | undefined {
  if (kind === 'test') return undefined
  if (digest) return { userId, scope: digest.period }
  if (kind === 'fleet') return { userId, scope: 'fleet' }
  return subscriptionId === null ? { userId, scope: 'clusters' } : { userId, scope: 'subscription', subscriptionId }
}
