import { channels } from '../contract/channels.ts'
import type { ReleaseType } from '../contract/project.ts'
import type { Db } from '../db/open.ts'
import type { ReleaseNews } from '../store/collected-release.ts'
import { insertDeliveries, type NewDelivery } from '../store/delivery.ts'
import { type FollowerRow, listFollowers } from '../store/subscription.ts'
import { listFollowerWebhooks } from '../store/webhook.ts'
import { stateOf, type Targets, targetsOf } from './notification-target.ts'
import type { Vault } from './vault.ts'
import { openWebhooks, type Webhooks } from './webhook.ts'

/** Subscribers of a project with their notification targets. */
export type Subscriber = FollowerRow & { webhooks: Webhooks; targets: Targets }

/** To be asked for before a transaction begins: a sealed webhook needs the store's key. */
export async function findSubscribers(
  { db, vault }: { db: Db; vault: () => Promise<Vault> },
  projectId: number,
): Promise<Subscriber[]> {
  const followers = await listFollowers(db, projectId)
  const webhooksOf = await openWebhooks(vault, await listFollowerWebhooks(db, projectId))
  return followers.map((follower) => {
    const { id, userId, settings, account } = follower
    const webhooks = webhooksOf({ userId, subscriptionId: id })
    const common = webhooksOf({ userId, subscriptionId: null })
    const targets = targetsOf({ ...account, webhooks: common }, { ...settings, webhooks })
    return { ...follower, webhooks, targets }
  })
}

/** Older releases notify nobody. */
const newsDays = 14
const daySeconds = 86_400

/** Notes a notification for each follower, way and piece of news that they want. */
export async function notifySubscribers(
  trx: Db,
  { followers, projectId, news, now }: { followers: Subscriber[]; projectId: number; news: ReleaseNews[]; now: number },
): Promise<void> {
  for (const follower of followers) {
    const { id, userId, since, targets } = follower
    const isNews = ({ kind, publishedAt }: ReleaseNews) =>
      kind !== 'release' || publishedAt >= Math.max(since, now - newsDays * daySeconds)
    const deliveries = news.filter(isNews).flatMap(({ kind, type, version }) =>
      channels
        .filter((channel) => targets[channel.name] !== null && isWanted(follower, channel, type))
        .map(({ name }): NewDelivery => {
          return { kind, channel: name, ...stateOf(name, targets[name]), subscriptionId: id, projectId, version }
        }),
    )
    await insertDeliveries(trx, { userId, now }, deliveries)
  }
}

/** Digests gather by themselves; what goes to a webhook of the account must be wanted there, too. */
function isWanted(
  { settings, account, webhooks }: Subscriber,
  channel: (typeof channels)[number],
  type: ReleaseType,
): boolean {
  if (channel.name === 'email') {
    return settings.email_enabled && settings.email_frequency === 'per_app' && has(settings.release_types_filter, type)
  }
  const isOwn = webhooks[channel.field] !== null
  return has(settings.webhook_release_types, type) && (isOwn || has(account.webhook_release_types, type))
}

const has = (types: string, type: ReleaseType) => types.split(',').includes(type)
