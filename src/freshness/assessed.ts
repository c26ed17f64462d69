import type { RunningVersion } from './advisory-range.ts'
import type { AdvisoryBook, AffectedVersion, AffectingAdvisory } from './affected.ts'
import type { Support } from './recommendation.ts'
import type { DatedRelease } from './releases.ts'
import type { AssessmentSubject } from './subject.ts'
import type { VersionVerdict } from './verdict.ts'

export interface AdvisoryStep extends AffectingAdvisory {
  /** The first release of the running line that this advisory does not affect. */
  fixedInLine: DatedRelease | undefined
}

/** The advisories that affect what runs, and the smallest step out of them. */
export interface RunningSecurity extends AffectedVersion {
  advisories: AdvisoryStep[]
  /** The first release of the running line without an advisory; undefined if there is none yet. */
  fixedInLine: DatedRelease | undefined
  /** The same, else the first of a later line. */
  fixedIn: DatedRelease | undefined
  /** The version that was compared. */
  running: RunningVersion
}

/** The offering that runs an artifact by itself. */
export interface ManagedBy {
  /** `aks` */
  offering: string
  /** A component that only the vendor publishes and upgrades. */
  isOwn: boolean
}

export interface AssessedItem extends AssessmentSubject {
  verdict: VersionVerdict
  /** Undefined: nothing is known of advisories, or the version cannot be compared with them. */
  security: RunningSecurity | undefined
  /** Advisories about its project, if its version is the project's. */
  advisoryBook: AdvisoryBook | undefined
  newest: string | null
  support: Support | undefined
  recommendation: string
  isInherited: boolean
  managedBy?: ManagedBy
  /** Day of the facts about its releases, `YYYY-MM-DD`. */
  catalogDate: string
}
