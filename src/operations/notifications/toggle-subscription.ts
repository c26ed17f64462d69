import { type PlanLimits, planNames } from '../../config/plans.ts'
import type { Plan } from '../../contract/subscription.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { getProject } from '../../store/catalog/project.ts'
import { countSubscriptions, deleteSubscription, insertSubscription } from '../../store/notifications/subscription.ts'

interface Toggle {
  account: { id: number; plan: Plan }
  projectId: number
  limits: PlanLimits
  now: number
}

/** Throws `not_found` for an unknown project, and `forbidden` at the plan's limit; removing always works. */
export function toggleSubscription(db: Db, { account, projectId, limits, now }: Toggle) {
  return write(db, `user:${account.id} subscriptions`, async (trx) => {
    const removed = await deleteSubscription(trx, account.id, projectId)
    if (removed !== undefined) return { id: removed, subscribed: false }
    await getProject(trx, projectId)
    if ((await countSubscriptions(trx, account.id)) >= limits.subscriptions) {
      throw new ReltError(
        'forbidden',
        `The ${planNames[account.plan]} plan has a limit of ${limits.subscriptions} subscriptions.`,
        { hint: 'Remove a subscription, or change the plan.' },
      )
    }
    return { id: await insertSubscription(trx, { userId: account.id, projectId, now }), subscribed: true }
  })
}
