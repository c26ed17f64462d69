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

const goodForSeconds = 6 * 3600

/** What `find` throws is not kept. */
export async function remembered(
  { cache, now }: { cache: LookupCache; now: () => number },
  key: string,
  find: () => Promise<string[]>,
): Promise<string[]> {
  const kept = cache.get(key)
  if (kept && kept.at <= now() && kept.at > now() - goodForSeconds) return kept.value
  const value = await find()
  cache.set(key, { at: now(), value })
  return value
}
