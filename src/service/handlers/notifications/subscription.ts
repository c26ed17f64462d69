import { planNames } from '../../../config/plans.ts'
import { eachWebhook, type WebhookName } from '../../../contract/channels.ts'
import type { Dashboard, Subscription } from '../../../contract/subscription.ts'
import type { Db } from '../../../db/open.ts'
import { write } from '../../../db/transaction.ts'
import { CoverageCount } from '../../../freshness/index.ts'
import { makerFor } from '../../../operations/accounts/maker.ts'
import { ensureCatalog } from '../../../operations/catalog/bundled.ts'
import { basisOfSubscriptions, listSeenClusters } from '../../../operations/freshness/answer-coverage.ts'
import { withFixes } from '../../../operations/freshness/release-fixes.ts'
import { findRunningArtifacts, type RunningQuery } from '../../../operations/freshness/running-artifacts.ts'
import { checkWebhooks } from '../../../operations/notifications/check-webhooks.ts'
import { findFeedOfMine } from '../../../operations/notifications/feed-of-mine.ts'
import { deliversNotifications, routeForListing } from '../../../operations/notifications/notify.ts'
import { releaseHeld } from '../../../operations/notifications/outbox.ts'
import { toggleSubscription } from '../../../operations/notifications/toggle-subscription.ts'
import { openWebhooks, sealWebhooks, type Webhooks } from '../../../operations/notifications/webhook.ts'
import { recordAudit } from '../../../store/accounts/audit.ts'
import type { User } from '../../../store/accounts/user.ts'
import { listFeed, listFollowedReleases } from '../../../store/catalog/recent-release.ts'
import { getNotificationSettings, updateNotificationSettings } from '../../../store/notifications/account-settings.ts'
import { listDeliveryLogs } from '../../../store/notifications/delivery-log.ts'
import { switchOn } from '../../../store/notifications/delivery-target.ts'
import { listLabels } from '../../../store/notifications/label.ts'
import { listSubscribedIds, listSubscriptions, updateSubscription } from '../../../store/notifications/subscription.ts'
import { listWebhooks, setWebhooks, type WebhookChanges } from '../../../store/notifications/webhook.ts'
import { daySeconds } from '../../../util/time.ts'
import type { HandlerContext, Handlers, NotifiedAccount } from '../../handler.ts'

/** Limit to the newest: a year of five hundred busy projects must not fill the memory. */
const maxFeed = 10_000
/** Lower, because these include their notes. */
const maxActivity = 100

export const subscriptionHandlers: Handlers<'subscription'> = {
  async getMySubscriptions({ db }, { account }) {
    return { subscribed_ids: account ? await listSubscribedIds(db, account.id) : [] }
  },

  async listSubscriptions(context, { account }) {
    const subscriptions = await subscriptionsFor(context, account)
    return { success: true, subscriptions, subscription_count: subscriptions.length }
  },

  async getFeed({ db, now, vault }, { query, user, owner }) {
    await ensureCatalog(db, now)
    const choice = { since: now - query.days * daySeconds, until: now, limit: maxFeed }
    const asking = { ownerId: owner.id, vault, now }
    if (query.mine) return { success: true, ...(await findFeedOfMine(db, choice, { userId: user.id, ...asking })) }
    const releases = await withFixes(db, await listFeed(db, user.id, choice), asking)
    const truncated = releases.length === maxFeed
    return { success: true, releases, ...(await basisFor(db, user.id, { now, truncated })) }
  },

  async getDashboard(context, { user, account, owner }) {
    const { db, now, vault, plans } = context
    const subscriptions = await subscriptionsFor(context, account)
    const { email, ...settings } = await getNotificationSettings(db, account.id)
    const webhooksFor = await openWebhooks(vault, await listWebhooks(db, [account.id]))
    const { subscriptions: limit, proFeatures: isPaid } = plans[account.plan]
    const { catalog_date, looked_at } = await basisOfSubscriptions(db, await listSubscribedIds(db, account.id), now)
    return {
      success: true,
      plan: planNames[account.plan],
      limit,
      subscriptions,
      is_pro: isPaid,
      subscription_count: subscriptions.length,
      subscription_limit: limit,
      user_email: email,
      user_login: user.login,
      // Plans are assigned, not sold: there is no trial and nothing to cancel.
      pms_status: isPaid ? 'active' : 'none',
      pms_trial_end: null,
      pms_is_cancelled: false,
      ...reveal(webhooksFor({ userId: account.id, subscriptionId: null }), account),
      ...settings,
      labels: await listLabels(db, account.id),
      catalog_date,
      looked_at: { ...looked_at, clusters: await listSeenClusters(db, owner.id) },
      delivers_notifications: await deliversNotifications(db),
      ...(isPaid && { affected: await countAffected(db, { ownerId: owner.id, vault, now }) }),
    }
  },

  async getDashboardActivity({ db, now, vault }, { query, account, owner }) {
    await ensureCatalog(db, now)
    const choice = { since: now - query.days * daySeconds, until: now, limit: maxActivity }
    const followed = await listFollowedReleases(db, account.id, choice)
    const releases = await withFixes(db, followed, { ownerId: owner.id, vault, now })
    const truncated = releases.length === maxActivity
    return { success: true, days: query.days, releases, ...(await basisFor(db, account.id, { now, truncated })) }
  },

  async getDashboardLogs({ db, vault, now }, { query, account }) {
    await routeForListing({ db, vault }, now)
    return { success: true, logs: await listDeliveryLogs(db, account.id, query.limit) }
  },

  async toggleSubscription({ db, now, plans }, { body, account }) {
    await ensureCatalog(db, now)
    const limits = plans[account.plan]
    const { id, subscribed } = await toggleSubscription(db, { account, projectId: body.product_id, limits, now })
    return { success: true, subscribed, subscription_id: id }
  },

  async updateSettings({ db, vault, now, allowedWebhooks }, { body, user, account }) {
    await checkWebhooks(body, allowedWebhooks)
    const { subscription_id: id, webhook_url, generic_webhook = webhook_url, ...settings } = body
    const webhooks = await sealWebhooks(vault, account.id, { ...settings, generic_webhook })
    await write(db, `user:${account.id} settings`, async (trx) => {
      await updateSubscription(trx, { userId: account.id, id }, settings)
      await changeTargets(trx, { account, user, subscriptionId: id, now }, webhooks)
    })
    return { success: true }
  },

  async updateAccountSettings({ db, vault, now, allowedWebhooks }, { body, user, account }) {
    await checkWebhooks(body, allowedWebhooks)
    const webhooks = await sealWebhooks(vault, account.id, body)
    await write(db, `user:${account.id} settings`, async (trx) => {
      await updateNotificationSettings(trx, account.id, body)
      if (body.quiet_hours !== undefined || body.time_zone !== undefined) await releaseHeld(trx, account.id, now)
      await changeTargets(trx, { account, user, subscriptionId: null, now }, webhooks)
    })
    return { success: true }
  },
}

/** Sets or removes webhooks of an account or subscription. A disabled target is enabled by a new address. */
async function changeTargets(
  trx: Db,
  {
    account,
    user,
    subscriptionId,
    now,
  }: { account: NotifiedAccount; user: User; subscriptionId: number | null; now: number },
  changes: WebhookChanges,
) {
  await setWebhooks(trx, { userId: account.id, subscriptionId, madeBy: makerFor(user) }, changes)
  for (const [channel, webhook] of Object.entries(changes) as [WebhookName, WebhookChanges[WebhookName]][]) {
    const action = webhook ? 'target.set' : 'target.remove'
    const place = subscriptionId === null ? '' : ` of subscription ${subscriptionId}`
    const subject = `${channel}${place}${account.team === null ? '' : ` of team ${account.team}`}`
    await recordAudit(trx, { at: now, user, action, subject, requestId: undefined })
    if (webhook) await switchOn(trx, { userId: account.id, channel })
  }
}

/** An answer at the limit contains only the newest. */
async function basisFor(db: Db, userId: number, { now, truncated }: { now: number; truncated: boolean }) {
  const { catalog_date, looked_at } = await basisOfSubscriptions(db, await listSubscribedIds(db, userId), now)
  return { catalog_date, looked_at: { ...looked_at, ...(truncated && { truncated }) } }
}

/** How many running artifacts in the owner's clusters an advisory affects, by each cluster's latest run. */
async function countAffected(db: Db, asking: RunningQuery): Promise<NonNullable<Dashboard['affected']>> {
  const { runs } = await findRunningArtifacts(db, asking, { projectIds: [] })
  const counts = { clusters: 0, artifacts: 0, critical: 0, high: 0, known: 0 }
  const total = new CoverageCount()
  for (const { affected, coverage } of runs) {
    total.merge(coverage)
    if (affected.artifacts > 0) counts.clusters++
    counts.artifacts += affected.artifacts
    counts.critical += affected.critical
    counts.high += affected.high
    counts.known += affected.known
  }
  const { artifacts, advisories_known = 0, advisory_facts_at = null } = total.result()
  return { ...counts, coverage: { artifacts, advisories_known, advisory_facts_at } }
}

async function subscriptionsFor({ db, vault, now }: HandlerContext, account: NotifiedAccount): Promise<Subscription[]> {
  await ensureCatalog(db, now)
  const stored = await listSubscriptions(db, account.id)
  const webhooksFor = await openWebhooks(vault, await listWebhooks(db, [account.id]))
  return stored.map((subscription) => {
    const webhooks = reveal(webhooksFor({ userId: account.id, subscriptionId: subscription.id }), account)
    return { webhook_url: webhooks.generic_webhook, ...webhooks, ...subscription }
  })
}

/** Users who may set webhooks get the full address; viewers of a team get it shortened. */
function reveal(webhooks: Webhooks, { isViewer }: NotifiedAccount) {
  return eachWebhook(({ field }) => (isViewer ? webhooks[field]?.toString() : webhooks[field]?.reveal()) ?? null)
}
