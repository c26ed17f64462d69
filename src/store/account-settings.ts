import type { AccountSettings } from '../contract/subscription.ts'
import type { Db } from '../db/open.ts'
import { emptyToNull, plainList } from './subscription.ts'

/** Notification targets of an account, which its subscriptions may override. */
export interface AccountTargets {
  email: string | null
  slack_webhook: string | null
  teams_webhook: string | null
  generic_webhook: string | null
  webhook_release_types: string
}

export function getAccount(db: Db, userId: number): Promise<AccountTargets> {
  return db
    .selectFrom('user')
    .select(['email', 'slack_webhook', 'teams_webhook', 'generic_webhook', 'webhook_release_types'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Changes only the given fields; an empty webhook removes it. */
export async function updateAccount(db: Db, userId: number, change: AccountSettings): Promise<void> {
  if (Object.values(change).every((value) => value === undefined)) return
  await db
    .updateTable('user')
    .set({
      slack_webhook: emptyToNull(change.slack_webhook),
      teams_webhook: emptyToNull(change.teams_webhook),
      generic_webhook: emptyToNull(change.generic_webhook),
      webhook_release_types: plainList(change.webhook_release_types),
    })
    .where('id', '=', userId)
    .execute()
}
