interface Cache<Key, Value> {
  has(key: Key): boolean
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The cached value of a key; finds and caches it if there is none. */
export function remember<Key, Value>(known: Cache<Key, Value>, key: Key, find: () => Value) {
  const value = known.get(key)
  if (value !== undefined || known.has(key)) return value as Value
  const found = find()
  known.set(key, found)
  return found
}

/** The function with its values cached by its argument; a `WeakMap` caches them as long as that exists. */
export function kept<Key, Value>(
  find: (key: Key) => Value,
  known: Cache<Key, Value> = new Map<Key, Value>(),
): (key: Key) => Value {
  return (key) => remember(known, key, () => find(key))
}
