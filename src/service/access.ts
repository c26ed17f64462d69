import type { PlanLimits, Plans } from '../config/plans.ts'
import type { KeyScope } from '../contract/api-key.ts'
import { teamRoles } from '../contract/choices.ts'
import type { Route } from '../contract/route.ts'
import { ReltError } from '../errors.ts'
import type { Vault } from '../operations/keys/vault.ts'
import { findOwner, type Owner, type OwnerRow } from '../store/accounts/owner.ts'
import type { User } from '../store/accounts/user.ts'
import type { NotifiedAccount } from './handler.ts'
import type { Service } from './service.ts'

/** Throws `unauthenticated` or `forbidden` if the caller may not call the route at all. */
export function checkAccess(route: Route, user: User | undefined, plans: Plans) {
  const limits = user && plans[user.plan]
  // A key is also checked on public routes; otherwise its caller would count as anonymous.
  if (limits && user.key) checkKey(route, user.key.scope, limits)
  if (route.access === 'public') return
  if (!limits) throw unauthenticated()
  if (route.access === 'pro' && !limits.proFeatures && !user.operator) throw proRequired()
  if (route.access === 'admin' && user.role !== 'admin') {
    throw new ReltError('forbidden', 'This needs the role of an admin.')
  }
}

/**
 * The owner of the resources for a route: the named team, else the user's default team, else the user. Throws `not_found`
 * unless the user is a member, and `forbidden` if the role does not suffice.
 */
export async function resolveOwner(
  { db, vault }: Pick<Service, 'db' | 'vault'>,
  route: Route,
  { user, team }: { user: User | undefined; team?: string | undefined },
): Promise<Owner | undefined> {
  const role = team === undefined ? route.role : (route.account ?? route.role)
  if (!user || (role === undefined && team === undefined)) return undefined
  const owner = await findOwner(db, user.id, team)
  if (owner?.team_id) await checkMember(await vault(), user, owner)
  if (!owner) throw team === undefined ? unauthenticated() : notMember(team)
  if (role !== undefined && teamRoles.indexOf(owner.role) < teamRoles.indexOf(role)) {
    const hint = 'A team owner or the admin of the server can change your role.'
    const message = `This needs the role ${role} in the team ${owner.team}; your role is ${owner.role}.`
    throw new ReltError('forbidden', message, { hint })
  }
  return owner
}

/**
 * The account whose subscriptions and notifications the route uses: of the named team, else of the caller, even if a default
 * team owns the clusters.
 */
export function accountFor(
  { user, team }: { user: User | undefined; team?: string | undefined },
  owner: Owner | undefined,
): NotifiedAccount | undefined {
  if (!user) return undefined
  if (team === undefined || !owner?.team) return { id: user.id, plan: user.plan, team: null, isViewer: false }
  return { id: owner.account_id, plan: owner.plan, team: owner.team, isViewer: owner.role === 'viewer' }
}

/** A membership without a valid tag does not count. Loaded on demand, because many stores have no teams. */
async function checkMember(vault: Vault, user: User, { id: ownerId, team_id, team, role, tag }: OwnerRow) {
  const { isTag, tagOfMember } = await import('../operations/accounts/tags.ts')
  if (!isTag(tagOfMember(vault, { teamId: team_id!, userId: user.id, ownerId, role }), tag)) throw notMember(team!)
}

function checkKey(route: Route, scope: KeyScope, limits: PlanLimits) {
  // The key was created while the plan still allowed keys.
  if (limits.keys === 0 && !route.anyPlan) throw proRequired()
  if (scope === 'read' && route.method !== 'GET' && !route.onlyReads) {
    throw new ReltError('forbidden', 'This API key has the scope read: it cannot change anything.')
  }
  if (scope === 'upload' && !route.forUploads) {
    throw new ReltError('forbidden', 'This API key has the scope upload: it can upload reports and nothing else.')
  }
  if (scope === 'metrics' && !route.forMetrics) {
    throw new ReltError('forbidden', 'This API key has the scope metrics: it can read metrics and nothing else.')
  }
}

const unauthenticated = () => new ReltError('unauthenticated', 'Authentication is required.')
const notMember = (team: string) => new ReltError('not_found', `You are in no team named ${team}.`)
const proRequired = () => new ReltError('forbidden', 'API access requires a Pro plan.')
