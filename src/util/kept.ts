/** Makes a value once for each key, and keeps it. */
export function kept<K, V>(make: (key: K) => V): (key: K) => V {
  const all = new Map<K, V>()
  return (key) => {
    const found = all.has(key) ? all.get(key)! : make(key)
    all.set(key, found)
    return found
  }
}
