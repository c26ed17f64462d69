import { remember } from '../../util/remember.ts'

/** Temporary cache of registry answers. */
export type LookupCache = Map<string, CachedLookup>

export interface CachedLookup {
  /** Unix seconds. */
  at: number
  value: string[]
}

export const goodForSeconds = 6 * 3600

const underWay = new WeakMap<LookupCache, Map<string, Promise<string[]>>>()

/** Concurrent calls share one answer. Errors of `find` are not cached. */
export async function withLookupCache(
  { cache, now }: { cache: LookupCache; now: () => number },
  key: string,
  find: () => Promise<string[]>,
) {
  const kept = cache.get(key)
  if (kept && kept.at > now() - goodForSeconds) return kept.value
  const asked = remember(underWay, cache, () => new Map<string, Promise<string[]>>())
  const value = await remember(asked, key, () => find().finally(() => asked.delete(key)))
  cache.set(key, { at: now(), value })
  return value
}
