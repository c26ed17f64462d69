interface Cache<Key, Value> {
  has(key: Key): boolean
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The cached value of a key; finds and caches it if there is none. */
export function remember<Key, Value>(known: Cache<Key, Value>, key: Key, find: () => Value): Value {
  if (!known.has(key)) known.set(key, find())
  return known.get(key) as Value
}
