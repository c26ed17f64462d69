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

/** The function with its values cached by its argument. */
export function kept<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => remember(known, key, () => find(key))
}
