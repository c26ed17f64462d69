import type { Plan } from '../contract/subscription.ts'
import { ReltError } from '../errors.ts'
import type { Env } from './env.ts'

/** What a plan allows. */
export interface PlanLimits {
  subscriptions: number
  keys: number
}

export type Plans = Record<Plan, PlanLimits>

export const planNames: Record<Plan, string> = { free: 'Free', pro: 'Pro', pro_plus: 'Pro Plus' }

const defaults: Plans = {
  free: { subscriptions: 5, keys: 0 },
  pro: { subscriptions: 50, keys: 3 },
  pro_plus: { subscriptions: 500, keys: 10 },
}

/** The defaults, changed by `RELT_PLAN_LIMITS`, such as `free.subscriptions=10,pro.keys=5`. Throws `usage`. */
export function readPlans(env: Env): Plans {
  const plans = structuredClone(defaults)
  for (const part of (env.RELT_PLAN_LIMITS ?? '').split(',').filter((each) => each.trim() !== '')) {
    const [, plan, limit, value] = /^\s*(free|pro|pro_plus)\.(subscriptions|keys)\s*=\s*(\d{1,9})\s*$/.exec(part) ?? []
    if (!plan || !limit) {
      throw new ReltError('usage', `RELT_PLAN_LIMITS has no plan limit in "${part}".`, {
        hint: 'Write free.subscriptions=10,pro.keys=5',
      })
    }
    plans[plan as Plan][limit as keyof PlanLimits] = Number(value)
  }
  return plans
}
