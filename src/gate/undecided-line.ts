import { globMatcher } from '../util/glob.ts'
import { type EntryUses, type MetEntry, usesOf } from './entry-uses.ts'
import type { Gap } from './gap.ts'

/** A line of the policy's key `undecided`: rules pass, although this is not known. */
export interface UndecidedLine {
  /** Patterns, in which `*` matches any text: of parts, of namespaces, and of resources that the scanner may not read. */
  part: string[]
  place: string[]
  forbidden: string[]
  /** Only in clusters of this name. */
  cluster?: string | undefined
  reason?: string | undefined
  /** `YYYY-MM-DD`: the last day (UTC) on which it applies. */
  expires: string
  /** File and line: `relt.yaml:12`. */
  source: string
}

/** Matches gaps with the lines that let rules pass, and records the matches. */
export class UndecidedLines {
  readonly #all: (MetEntry<UndecidedLine> & { meets: (gap: Gap) => boolean })[]

  /** `today` is `YYYY-MM-DD`, UTC. */
  constructor(lines: UndecidedLine[], cluster: string | null, today: string) {
    const own = lines.filter((line) => line.cluster === undefined || globMatcher(line.cluster)(cluster ?? ''))
    this.#all = own.map((entry) => {
      const [parts, places, resources] = [entry.part, entry.place, entry.forbidden].map((all) => all.map(globMatcher))
      const meetsAny = (matchers: ((text: string) => boolean)[] | undefined, text: string | undefined) =>
        text !== undefined && matchers!.some((meets) => meets(text))
      return {
        entry,
        isExpired: entry.expires < today,
        meets: (gap) =>
          gap.place === undefined
            ? meetsAny(parts, gap.part) || meetsAny(resources, forbiddenResource(gap))
            : meetsAny(places, gap.place),
        met: new Set(),
      }
    })
  }

  /** The line that lets rules pass in spite of a gap; all that match count as used. */
  find(gap: Gap): UndecidedLine | undefined {
    const meeting = this.#all.filter(({ meets }) => meets(gap))
    for (const { met } of meeting) met.add(gap.place ?? gap.part)
    return meeting.find(({ isExpired }) => !isExpired)?.entry
  }

  uses(): EntryUses<UndecidedLine> {
    return usesOf(this.#all)
  }
}

/** The resource that the API server refused, by its message. */
export function forbiddenResource({ state, reason }: Gap): string | undefined {
  if (state !== 'forbidden' || typeof reason !== 'string') return undefined
  return /cannot (?:\w+) resource "([^"]+)"/.exec(reason)?.[1] ?? /^([\w.]+) is forbidden\b/.exec(reason)?.[1]
}
