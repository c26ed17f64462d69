import type { AffectedRange } from '../contract/freshness.ts'
import { bySeverity } from '../contract/severity-rank.ts'
import type { Severity } from '../contract/shape.ts'
import type { Exploited } from '../contract/state-facts.ts'
import { remember } from '../util/remember.ts'
import {
  type Affected,
  isInRange,
  type ReadBounds,
  type ReadRange,
  type RunningVersion,
  readRange,
} from './advisory-range.ts'
import { compareStages } from './versions.ts'

/** An advisory about a project's own releases. */
export interface KnownAdvisory {
  /** A CVE, else a GHSA, else the id in its database. */
  id: string
  aliases: string[]
  /** Null if no database rates it. */
  severity: Severity | null
  score: number | null
  /** Unix seconds; null if unknown. */
  publishedAt: number | null
  ranges: AffectedRange[]
  /** Absent if it is not known to be exploited. */
  exploited?: Exploited | undefined
}

export interface AffectingAdvisory extends KnownAdvisory {
  /** The first fixed version according to the advisory itself; null if it names none. */
  fixedIn: string | null
}

/** Advisories about a project, compared with one version. */
export interface AffectedVersion {
  /** Worst first. */
  advisories: AffectingAdvisory[]
  /** Advisories whose ranges cannot be compared with the version. */
  undecided: KnownAdvisory[]
}

interface ReadAdvisory {
  advisory: KnownAdvisory
  ranges: (ReadRange | undefined)[]
}

/** Parses the ranges of one project once. */
export class AdvisoryBook {
  readonly #advisories: ReadAdvisory[]
  readonly #byId: Map<string, ReadAdvisory>
  /** Pre-releases that advisories name: an image tag with the same words is a pre-release, not a variant of the release. */
  readonly #prereleases = new Map<string, string[]>()
  readonly #found = new Map<string, AffectedVersion>()
  readonly #clean = new Map<string, boolean>()

  constructor(advisories: readonly KnownAdvisory[]) {
    const bounds: ReadBounds = new Map()
    this.#advisories = advisories
      .toSorted(byUrgency)
      .map((advisory) => ({ advisory, ranges: advisory.ranges.map((range) => readRange(range, bounds)) }))
    this.#byId = new Map(this.#advisories.map((each) => [each.advisory.id, each]))
    for (const bound of bounds.values()) {
      if (bound && bound.version.prerelease.length > 0) this.#prereleases.set(bound.text, bound.version.prerelease)
    }
  }

  /** Worst first. */
  get advisories() {
    return this.#advisories.map(({ advisory }) => advisory)
  }

  /** A word before the number (`stable-2.14.10`) means another release line than that of the advisories. */
  of(running: RunningVersion): AffectedVersion {
    return remember(this.#found, toKey(running), () => {
      const ours = this.#withPrerelease(running)
      const found: AffectedVersion = { advisories: [], undecided: [] }
      for (const { advisory, ranges } of this.#advisories) {
        const affected = affectedBy(ours, ranges)
        if (affected === 'unknown') found.undecided.push(advisory)
        if (affected === 'affected') found.advisories.push({ ...advisory, fixedIn: firstFixed(ours, ranges) })
      }
      return found
    })
  }

  /** Whether the advisory with this id certainly does not affect the version. */
  isFreeOf(id: string, running: RunningVersion) {
    const ours = this.#withPrerelease(running)
    const found = this.#byId.get(id)
    return found === undefined || affectedBy(ours, found.ranges) === 'not_affected'
  }

  /** Whether certainly no advisory affects the version. */
  isClean(running: RunningVersion) {
    return remember(this.#clean, toKey(running), () => {
      const ours = this.#withPrerelease(running)
      return this.#advisories.every(({ ranges }) => affectedBy(ours, ranges) === 'not_affected')
    })
  }

  #withPrerelease(running: RunningVersion) {
    const { version } = running
    const prerelease = this.#prereleases.get(version.bare)
    return prerelease ? { ...running, version: { ...version, prerelease, revision: [] } } : running
  }
}

function toKey({ version, isLine, yearsAreLater }: RunningVersion) {
  return [version.lead, version.text, isLine, yearsAreLater].join(' ')
}

/** One range that contains the version is enough. */
function affectedBy(running: RunningVersion, ranges: readonly (ReadRange | undefined)[]): Affected {
  if (ranges.length === 0 || running.version.lead !== '') return 'unknown'
  let affected: Affected = 'not_affected'
  for (const range of ranges) {
    const one = range ? isInRange(running, range) : 'unknown'
    if (one === 'affected') return one
    if (one === 'unknown') affected = one
  }
  return affected
}

/** Ranges may overlap: the end of one may be within the next. */
function firstFixed(running: RunningVersion, ranges: readonly (ReadRange | undefined)[]) {
  let at = running
  let fixed: string | null = null
  for (;;) {
    const holding = ranges.filter((range) => range !== undefined && isInRange(at, range) === 'affected')
    const ends = holding.flatMap((range) => range?.fixed ?? [])
    const [last] = ends.sort((a, b) => compareStages(b.version, a.version))
    if (last === undefined) return holding.length === 0 ? fixed : null
    if (ends.length < holding.length || last.text === fixed) return null
    fixed = last.text
    at = { ...at, isLine: false, version: last.version }
  }
}

/** Sorts by severity, then score, then latest first. */
export function byUrgency(a: KnownAdvisory, b: KnownAdvisory) {
  return (
    bySeverity(a, b) ||
    (b.score ?? 0) - (a.score ?? 0) ||
    (b.publishedAt ?? 0) - (a.publishedAt ?? 0) ||
    (a.id < b.id ? -1 : 1)
  )
}
