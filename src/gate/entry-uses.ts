/** An entry of a policy that lets something pass, with what it matched. */
export interface MetEntry<E> {
  entry: E
  isExpired: boolean
  met: Set<unknown>
}

/** An entry with how much it matched; for an expired one, would have matched. */
export type EntryUse<E> = E & { matched: number }

export type EntryUses<E> = Record<'used' | 'unused' | 'expired', EntryUse<E>[]>

export function usesOf<E>(all: readonly MetEntry<E>[]): EntryUses<E> {
  const uses: EntryUses<E> = { used: [], unused: [], expired: [] }
  for (const { entry, isExpired, met } of all) {
    uses[isExpired ? 'expired' : met.size > 0 ? 'used' : 'unused'].push({ ...entry, matched: met.size })
  }
  return uses
}
