import type { Client } from '../../../client/client.ts'
import { insteadOf } from '../../../errors.ts'

/** The caller's relation to a project. */
export interface MyProject {
  /** Number of clusters that run it. */
  clusters: number
  isFollowed: boolean
}

/** Maximum clusters whose latest run is searched, so that the first screen does not wait for a large fleet. */
const mostClusters = 20

/**
 * Projects that run in the caller's clusters or that the caller subscribes to, by id. Empty if the server does not support
 * it.
 */
export async function findOwnProjects(client: Client): Promise<Map<number, MyProject>> {
  const found = new Map<number, MyProject>()
  const own = (id: number) => {
    const known = found.get(id) ?? { clusters: 0, isFollowed: false }
    found.set(id, known)
    return known
  }
  for (const id of await orNone(async () => (await client.call('getMySubscriptions', {})).subscribed_ids)) {
    own(id).isFollowed = true
  }
  for (const id of await orNone(() => findRunning(client))) own(id).clusters++
  return found
}

/** Sorts projects in most clusters first, then subscribed ones. */
export const compareOwn = (a: MyProject | undefined, b: MyProject | undefined): number =>
  (b?.clusters ?? 0) - (a?.clusters ?? 0) || Number(b?.isFollowed ?? false) - Number(a?.isFollowed ?? false)

/** Ids of running projects, once for each cluster. */
async function findRunning(client: Client): Promise<number[]> {
  const { items } = await client.call('listClusters', { query: { per_page: mostClusters } })
  const all = await Promise.all(
    items.map(async ({ freshness }) => {
      const run_id = freshness?.run_id
      if (run_id === undefined) return []
      const { items: artifacts } = await client.call('reportFreshness', { params: { run_id } })
      return [...new Set(artifacts.flatMap(({ source_product_id: id }) => id ?? []))]
    }),
  )
  return all.flat()
}

/** Other servers may lack the route, and the caller may have no account. */
function orNone<T>(find: () => Promise<T[]>): Promise<T[]> {
  return find().catch(insteadOf(['not_found', 'unauthenticated', 'forbidden'], []))
}
