import type { RunningVersion } from './advisory-range.ts'
import type { AffectedVersion, AffectingAdvisory } from './affected.ts'
import type { DatedRelease } from './releases.ts'

export interface LineAdvisory extends AffectingAdvisory {
  /** The first release of the running line that this advisory does not affect. */
  fixedInLine: DatedRelease | undefined
}

/** The advisories that affect what runs. */
export interface RunningSecurity extends AffectedVersion {
  advisories: LineAdvisory[]
  /** The version that was compared. */
  running: RunningVersion
}
