import type { FeedItem } from '../contract/subscription.ts'
import type { Db } from '../db/open.ts'
import { exposureOf } from '../freshness/index.ts'
import { type Asking, findRunning, placesOf } from './running.ts'

type Listed = FeedItem & { release_id: number }

/** The releases that are newer than something in the user's clusters, with how much that is. */
export async function onlyConcerning(db: Db, feed: Listed[], asking: Asking): Promise<FeedItem[]> {
  const { runs } = await findRunning(db, asking)
  const byProject = Map.groupBy(feed, (release) => release.product_id)
  const concerned = new Map<number, { clusters: Set<string>; workloads: Set<string>; artifacts: number }>()
  for (const { run, assessed } of runs) {
    for (const one of assessed) {
      for (const { release_id: id } of byProject.get(one.match.project?.id ?? 0) ?? []) {
        if (!exposureOf(one, { kind: 'release', id })?.isCertain) continue
        const found = concerned.get(id) ?? { clusters: new Set(), workloads: new Set(), artifacts: 0 }
        concerned.set(id, found)
        found.clusters.add(run.run_id)
        for (const workload of placesOf(one.places).workloads) found.workloads.add(`${run.run_id} ${workload}`)
        found.artifacts++
      }
    }
  }
  return feed.flatMap((release) => {
    const found = concerned.get(release.release_id)
    if (!found) return []
    const { clusters, workloads, artifacts } = found
    return [{ ...release, affects: { clusters: clusters.size, workloads: workloads.size, artifacts } }]
  })
}
