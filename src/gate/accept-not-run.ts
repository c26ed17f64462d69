import { globMatcher } from '../util/glob.ts'
import { type EntryUses, type MetEntry, usesOf } from './entry-uses.ts'

/** A policy entry that lets something pass: until a day, or permanently. */
interface PolicyEntry {
  expires?: string
}

/** Checks that may fail to run without affecting a rule. */
export interface AcceptedChecks {
  /** Pattern of check ids, in which `*` matches any text. */
  check: string
  reason?: string
  /** `YYYY-MM-DD`: the last day (UTC) on which it applies; without one it does not expire. */
  expires?: string
  /** File and line: `relt.yaml:12`. */
  source: string
}

/** Part of the accepted scope that scans may lack: checks, namespaces or kinds of operator reports. */
export interface ScopeEntry {
  /** Patterns, exactly one of which is set. */
  check?: string
  namespace?: string
  kind?: string
  reason: string
  expires?: string
  source: string
}

/** Matches gaps of a run with policy entries that accept them, and records the matches. */
export class Acceptance<E extends PolicyEntry = AcceptedChecks> {
  readonly #all: (MetEntry<E> & { meets: (name: string) => boolean })[]

  /** `today` is `YYYY-MM-DD`, UTC. */
  constructor(entries: E[], toPattern: (entry: E) => string, today: string) {
    this.#all = entries.map((entry) => ({
      entry,
      isExpired: entry.expires !== undefined && entry.expires < today,
      meets: globMatcher(toPattern(entry)),
      met: new Set(),
    }))
  }

  accepts(name: string): boolean {
    return this.find(name) !== undefined
  }

  /** The entry that accepts a gap; all matching entries count as used. */
  find(name: string): E | undefined {
    const meeting = this.#all.filter(({ meets }) => meets(name))
    for (const { met } of meeting) met.add(name)
    return meeting.find(({ isExpired }) => !isExpired)?.entry
  }

  uses(): EntryUses<E> {
    return usesOf(this.#all)
  }
}
