type Group = 'used' | 'unused' | 'expired'
type Uses<T> = Record<Group, T[]>

/** The uses of the same entries by several runs, as those of one: an entry is used if one of the runs needs it. */
export function mergeUses<T extends { matched: number }>(all: Uses<T>[]): Uses<T> {
  const merged = new Map<string, { group: Group; use: T }>()
  for (const uses of all) {
    for (const group of ['expired', 'used', 'unused'] as const) {
      for (const use of uses[group]) {
        const key = JSON.stringify({ ...use, matched: 0 })
        const known = merged.get(key)
        const isFirst = known === undefined || (known.group === 'unused' && group === 'used')
        const matched = (known?.use.matched ?? 0) + use.matched
        merged.set(key, { group: isFirst ? group : known.group, use: { ...use, matched } })
      }
    }
  }
  const of = (wanted: Group) => [...merged.values()].flatMap(({ group, use }) => (group === wanted ? [use] : []))
  return { used: of('used'), unused: of('unused'), expired: of('expired') }
}
