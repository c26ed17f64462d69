import type { Db } from '../../db/open.ts'
import { findCatalogRevision } from '../../store/catalog/revision.ts'
import { RecentValues } from '../../util/recent-values.ts'
import { daySeconds } from '../../util/time.ts'

/** A cache of values derived from the catalog. They depend only on its revision, the day, and their key. */
export function keptByCatalog<V>(most: number) {
  const kept = new WeakMap<Db, RecentValues<V>>()
  /** `now` in unix seconds. */
  return async (db: Db, { key, now }: { key: string; now: number }, make: () => Promise<V>) => {
    // Read before the catalog: a concurrent change ends this revision.
    const revision = await findCatalogRevision(db)
    if (revision === undefined) return make()
    const all = kept.get(db) ?? new RecentValues<V>(most)
    kept.set(db, all)
    const whole = `${revision} ${Math.floor(now / daySeconds)} ${key}`
    const value = all.get(whole) ?? (await make())
    all.set(whole, value)
    return value
  }
}
