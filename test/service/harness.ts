import { expect } from 'vitest'
import { readPlans } from '../../src/config/plans.ts'
import { type RouteAnswer, type RouteName, routes } from '../../src/contract/routes.ts'
import type { Plan } from '../../src/contract/subscription.ts'
import { setMeta } from '../../src/db/meta.ts'
import type { Db } from '../../src/db/open.ts'
import type { Request } from '../../src/service/handler.ts'
import { invoke } from '../../src/service/invoke.ts'
import type { User } from '../../src/store/accounts/user.ts'
import { formatTimestamp } from '../../src/util/time.ts'
import { day, now, openService, type TestService } from '../operations/service.ts'
import { project, release, save } from '../store/bundled.ts'

export { day, now, refusalFor } from '../operations/service.ts'

export const at = (days: number) => formatTimestamp(now - days * day)

type Asked = Partial<Omit<Request, 'user'>>

export interface TestRoutes extends TestService {
  /** Pro, with an email address. */
  ada: User
  /** Free, without. */
  bob: User
  admin: User
  /** Ids of the projects by slug. */
  ids: Record<string, number>
  /** Calls a route as somebody; its answer has exactly the contract's fields. */
  as<N extends RouteName>(user: User | undefined, name: N, request?: Asked): Promise<RouteAnswer<N>>
  /** Returns the id of the subscription. */
  subscribe(user: User, slug: string): Promise<number>
}

/** Five projects, none of them the bundled ones; releases are told by how many days ago they came. */
export const catalog = [
  project('argo-cd', {
    name: 'Argo CD',
    description: 'Keeps clusters as declared',
    category: 'CI/CD',
    cncf_status: 'graduated',
    repo_url: 'https://github.com/argoproj/argo-cd',
    helm_chart_names: ['argo-cd'],
    image_repositories: ['quay.io/argoproj/argocd'],
    releases: [
      release('v3.6.0-rc1', at(0.5), { type: 'pre' }),
      release('10.1.1', at(2), { type: 'helm', chartName: 'argo-cd' }),
      release('v3.5.1', at(3)),
      release('v3.4.8', at(20)),
    ],
  }),
  project('harbor', {
    name: 'Harbor',
    category: 'Storage',
    releases: [release('v2.0.0', at(6)), release('v1.9.9', at(6))],
  }),
  project('istio', { name: 'Istio', category: 'Service Mesh', releases: [release('1.30.0', at(40))] }),
  project('nginx', {
    name: 'nginx',
    category: 'Networking',
    releases: [release('1.29.0', at(1)), release('9.9.9', at(-3))],
  }),
  project('quiet', { name: 'Quiet', category: 'Storage' }),
]

export async function openRoutes(plans = 'interface'): Promise<TestRoutes> {
  const service = await openService()
  const { db, vault, clock } = service
  await save(db, catalog, now)
  await setMeta(db, 'catalog_date', '2099-01-01')
  const known = await db.selectFrom('project').select(['id', 'slug']).execute()
  const ids = Object.fromEntries(known.map(({ id, slug }) => [slug, id]))
  const app = {
    db,
    vault: async () => vault,
    plans: readPlans({ RELT_PLAN_LIMITS: plans }),
    now: () => clock.now,
  }
  const as: TestRoutes['as'] = async (user, name, request) => {
    const answer = await invoke(app, name, { ...request, user })
    expect(routes[name].answer.parse(answer)).toEqual(answer)
    return answer
  }
  return {
    ...service,
    ids,
    as,
    ada: await addUser(db, { login: 'ada', plan: 'pro', email: 'ada@example.com' }),
    bob: await addUser(db, { login: 'bob', plan: 'free' }),
    admin: await addUser(db, { login: 'root', plan: 'free', role: 'admin' }),
    subscribe: async (user, slug) => {
      const { subscription_id } = await as(user, 'toggleSubscription', { body: { product_id: ids[slug] } })
      return subscription_id
    },
  }
}

async function addUser(
  db: Db,
  {
    login,
    plan,
    role = 'user',
    email = null,
  }: { login: string; plan: Plan; role?: User['role']; email?: string | null },
): Promise<User> {
  const { id } = await db
    .insertInto('user')
    .values({ login, plan, role, email, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, login, plan, role }
}
