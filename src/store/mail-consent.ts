import type { Db } from '../db/open.ts'

/** Mails of an account that end together: about one project, or a digest. */
export type MailScope =
  | { userId: number; scope: 'subscription'; subscriptionId: number }
  | { userId: number; scope: 'daily' | 'weekly' }

/** Subscriptions that send these mails, with the names of their projects. */
export function listMailedSubscriptions(db: Db, scope: MailScope): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('subscription')
    .innerJoin('project', 'project.id', 'subscription.project_id')
    .select(['subscription.id', 'project.name'])
    .where('subscription.user_id', '=', scope.userId)
    .where('subscription.email_enabled', '=', 1)
    .where((eb) =>
      scope.scope === 'subscription'
        ? eb('subscription.id', '=', scope.subscriptionId)
        : eb('subscription.email_frequency', '=', scope.scope),
    )
    .orderBy('subscription.id')
    .execute()
}

/** Ends them; returns how many subscriptions sent them. */
export async function endMails(trx: Db, scope: MailScope): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('subscription')
    .set({ email_enabled: 0 })
    .where('user_id', '=', scope.userId)
    .where('email_enabled', '=', 1)
    .where((eb) =>
      scope.scope === 'subscription' ? eb('id', '=', scope.subscriptionId) : eb('email_frequency', '=', scope.scope),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
