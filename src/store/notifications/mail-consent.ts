import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'

/** Mails of an account that one unsubscribe link ends: about a project, a digest, or about its clusters. */
export type MailScope =
  | { userId: number; scope: 'subscription'; subscriptionId: number }
  | { userId: number; scope: 'daily' | 'weekly' | 'clusters' | 'fleet' }

/** Whether the account still receives these mails; the name is that of a subscription's project. */
export async function findMails(db: Db, scope: MailScope) {
  const account = db.selectFrom('user').select('login as name').where('id', '=', scope.userId)
  if (scope.scope === 'clusters') {
    return account.where('cluster_events', '<>', '').where('cluster_mails', '=', 1).executeTakeFirst()
  }
  if (scope.scope === 'fleet') return account.where('fleet_report', '<>', 'off').executeTakeFirst()
  return db
    .selectFrom('subscription')
    .innerJoin('project', 'project.id', 'subscription.project_id')
    .select('project.name')
    .where('subscription.user_id', '=', scope.userId)
    .where('subscription.email_enabled', '=', 1)
    .where((eb) => isInScope(eb, scope))
    .executeTakeFirst()
}

/** Unsubscribes from these mails; false if already done. */
export async function endMails(trx: Db, scope: MailScope) {
  const { userId } = scope
  const ofAccount = trx.updateTable('user').where('id', '=', userId)
  const { numUpdatedRows } = await (scope.scope === 'clusters'
    ? ofAccount.set({ cluster_mails: 0 }).where('cluster_mails', '=', 1)
    : scope.scope === 'fleet'
      ? ofAccount.set({ fleet_report: 'off' }).where('fleet_report', '<>', 'off')
      : trx
          .updateTable('subscription')
          .set({ email_enabled: 0 })
          .where('user_id', '=', userId)
          .where('email_enabled', '=', 1)
          .where((eb) => isInScope(eb, scope))
  ).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function isInScope(eb: ExpressionBuilder<Tables, 'subscription'>, scope: MailScope) {
  return scope.scope === 'subscription'
    ? eb('subscription.id', '=', scope.subscriptionId)
    : eb('subscription.email_frequency', '=', scope.scope as 'daily' | 'weekly')
}
