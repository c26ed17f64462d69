/** What was asked of registries, for a while. A `Map` is one. */
export interface LookupCache {
  get(key: string): Kept | undefined
  set(key: string, kept: Kept): unknown
}

export interface Kept {
  /** Unix seconds. */
  at: number
  value: string[]
}

export const goodForSeconds = 6 * 3600

const underWay = new WeakMap<LookupCache, Map<string, Promise<string[]>>>()

/** Who asks the same meanwhile gets the same answer. What `find` throws is not kept. */
export async function remembered(
  { cache, now }: { cache: LookupCache; now: () => number },
  key: string,
  find: () => Promise<string[]>,
): Promise<string[]> {
  const kept = cache.get(key)
  if (kept && kept.at <= now() && kept.at > now() - goodForSeconds) return kept.value
  const asked = underWay.get(cache) ?? new Map<string, Promise<string[]>>()
  underWay.set(cache, asked)
  const finding = asked.get(key) ?? find().finally(() => asked.delete(key))
  asked.set(key, finding)
  const value = await finding
  cache.set(key, { at: now(), value })
  return value
}
