import type { RunningVersion } from './advisory-range.ts'
import type { AffectedVersion, AffectingAdvisory } from './affected.ts'
import type { DatedRelease } from './releases.ts'

export interface LineAdvisory extends AffectingAdvisory {
  /** First release of the running line that this advisory does not affect. */
  fixedInLine: DatedRelease | undefined
}

/** Advisories that affect the running version. */
export interface RunningSecurity extends AffectedVersion {
  advisories: LineAdvisory[]
  /** The version that was compared. */
  running: RunningVersion
}
