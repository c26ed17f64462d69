import { type PlanLimits, planNames } from '../../config/plans.ts'
import type { Plan } from '../../contract/subscription.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { getProject } from '../../store/catalog/project.ts'
import { countSubscriptions, deleteSubscription, insertSubscription } from '../../store/notifications/subscription.ts'

interface Toggle {
  user: { id: number; plan: Plan }
  projectId: number
  limits: PlanLimits
  now: number
}

export interface ToggleResult {
  id: number
  subscribed: boolean
}

/** Throws `not_found` for an unknown project, `forbidden` beyond what the plan allows; removing always works. */
export function toggleSubscription(db: Db, { user, projectId, limits, now }: Toggle): Promise<ToggleResult> {
  return write(db, `user:${user.id} subscriptions`, async (trx) => {
    const removed = await deleteSubscription(trx, user.id, projectId)
    if (removed !== undefined) return { id: removed, subscribed: false }
    await getProject(trx, projectId)
    if ((await countSubscriptions(trx, user.id)) >= limits.subscriptions) {
      throw new ReltError(
        'forbidden',
        `The ${planNames[user.plan]} plan has a limit of ${limits.subscriptions} subscriptions.`,
        { hint: 'Remove a subscription, or change the plan.' },
      )
    }
    return { id: await insertSubscription(trx, { userId: user.id, projectId, now }), subscribed: true }
  })
}
