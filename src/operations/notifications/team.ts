import { webhookChannels } from '../../contract/channels.ts'
import type { TeamNotifications } from '../../contract/team.ts'
import type { Db } from '../../db/open.ts'
import { getAccountOfTeam } from '../../store/accounts/team.ts'
import { findDocument } from '../../store/findings/owner-document.ts'
import { getNotificationSettings } from '../../store/notifications/account-settings.ts'
import { countSubscriptions } from '../../store/notifications/subscription.ts'
import { listWebhooks } from '../../store/notifications/webhook.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { openWebhooks } from './webhook.ts'

/** Where a team is notified and of what; addresses of webhooks are shortened. */
export async function describeNotifications(
  db: Db,
  vault: Vault,
  { teamId, ownerId }: { teamId: number; ownerId: number },
): Promise<TeamNotifications> {
  const userId = await getAccountOfTeam(db, teamId)
  const { email, webhook_release_types: _, ...settings } = await getNotificationSettings(db, userId)
  const webhooks = (await openWebhooks(async () => vault, await listWebhooks(db, userId)))({
    userId,
    subscriptionId: null,
  })
  const policy = await findDocument(db, 'gate_policy', ownerId)
  return {
    email,
    channels: webhookChannels.flatMap(({ name, field }) => {
      const address = webhooks[field]?.toString()
      return address === undefined ? [] : [{ channel: name, address }]
    }),
    subscriptions: await countSubscriptions(db, userId),
    settings,
    gate_policy_changed_at: policy ? formatTimestamp(policy.changed_at) : null,
  }
}
