import { isOfState } from './state-check.ts'

interface Changed {
  check_id: string | null
  from?: { count?: number | undefined } | undefined
  to?: { count?: number | undefined } | undefined
}

/** Changed findings that are faults of pods which more pods have now, the widest first: `from` and `to` say how many of how many. */
export const grownAmong = <T extends Changed>(changed: T[]): T[] =>
  changed
    .filter(
      ({ check_id, from, to }) => check_id !== null && isOfState(check_id) && (to?.count ?? 0) > (from?.count ?? 1),
    )
    .sort((a, b) => b.to!.count! - a.to!.count!)
