import { globMatcher } from './glob.ts'

/** Checks that may fail to run without holding up a rule. */
export interface AcceptedChecks {
  /** Pattern of their ids, in which `*` matches any text. */
  check: string
  reason?: string
  /** `YYYY-MM-DD`: the last day (UTC) on which it counts; without one it always does. */
  expires?: string
  /** File and line: `relt.yaml:12`. */
  source: string
}

export interface AcceptedUse extends AcceptedChecks {
  /** How many checks it met that did not run. */
  matched: number
}

export interface AcceptedUses {
  used: AcceptedUse[]
  unused: AcceptedUse[]
  expired: AcceptedUse[]
}

/** Matches checks that did not run with the entries that accept them, and records the matches. */
export class Acceptance {
  readonly #all: { entry: AcceptedChecks; isExpired: boolean; meets: (id: string) => boolean; met: Set<string> }[]

  /** `today` is `YYYY-MM-DD`, UTC. */
  constructor(entries: AcceptedChecks[], today: string) {
    this.#all = entries.map((entry) => ({
      entry,
      isExpired: entry.expires !== undefined && entry.expires < today,
      meets: globMatcher(entry.check),
      met: new Set(),
    }))
  }

  accepts(checkId: string): boolean {
    const meeting = this.#all.filter(({ meets }) => meets(checkId))
    for (const { met } of meeting) met.add(checkId)
    return meeting.some(({ isExpired }) => !isExpired)
  }

  uses(): AcceptedUses {
    const uses: AcceptedUses = { used: [], unused: [], expired: [] }
    for (const { entry, isExpired, met } of this.#all) {
      uses[isExpired ? 'expired' : met.size > 0 ? 'used' : 'unused'].push({ ...entry, matched: met.size })
    }
    return uses
  }
}
