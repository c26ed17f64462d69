import type { PlanLimits, Plans } from '../config/plans.ts'
import type { KeyScope } from '../contract/api-key.ts'
import type { Route } from '../contract/route.ts'
import { ReltError } from '../errors.ts'
import type { User } from '../store/user.ts'

/** Throws `unauthenticated` or `forbidden` when the caller may not call the route at all. */
export function checkAccess(route: Route, user: User | undefined, plans: Plans): void {
  const limits = user && plans[user.plan]
  // A key is checked on public routes, too; otherwise its caller would count as anonymous.
  if (limits && user.key) checkKey(route, user.key.scope, limits)
  if (route.access === 'public') return
  if (!limits) throw new ReltError('unauthenticated', 'Authentication is required.')
  if (route.access === 'pro' && !limits.proFeatures) throw proRequired()
  if (route.access === 'admin' && user.role !== 'admin') {
    throw new ReltError('forbidden', 'This needs the role of an admin.')
  }
}

function checkKey(route: Route, scope: KeyScope, limits: PlanLimits): void {
  // Made while the plan still had keys.
  if (limits.keys === 0 && !route.anyPlan) throw proRequired()
  if (scope === 'read' && route.method !== 'GET') {
    throw new ReltError('forbidden', 'This API key has the scope read: it cannot change anything.')
  }
  if (scope === 'upload' && !route.forUploads) {
    throw new ReltError('forbidden', 'This API key has the scope upload: it can upload reports and nothing else.')
  }
}

const proRequired = () => new ReltError('forbidden', 'API access requires a Pro plan.')
