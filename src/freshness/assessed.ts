import type { Eol, FreshnessStatus } from '../contract/freshness.ts'
import type { RunningVersion } from './advisory-range.ts'
import type { AdvisoryBook, AffectedVersion, AffectingAdvisory } from './affected.ts'
import type { DatedRelease } from './releases.ts'
import type { ArtifactStates } from './states.ts'
import type { FoundSteps } from './steps/find-steps.ts'
import type { StepPlace } from './steps/place.ts'
import type { AssessmentSubject } from './subject.ts'
import type { VersionVerdict } from './verdict.ts'

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

/** The running cycle with its usual name: `Ubuntu 20.04`. */
export interface Support extends Eol {
  name: string
}

/** The offering that runs an artifact by itself. */
export interface ManagedBy {
  /** `aks` */
  offering: string
  /** A component that only the vendor publishes and upgrades. */
  isOwn: boolean
  /** Advice about the offering's upgrades, as a clause. */
  advice?: string | undefined
}

export interface AssessedItem extends AssessmentSubject {
  verdict: VersionVerdict
  /** Undefined: nothing is known of advisories, or the version cannot be compared with them. */
  security: RunningSecurity | undefined
  /** Advisories about its project, if its version is the project's. */
  advisoryBook: AdvisoryBook | undefined
  newest: string | null
  support: Support | undefined
  place: StepPlace
  states: ArtifactStates
  steps: FoundSteps
  /** A chart installs the image. */
  isInherited: boolean
  /** That chart, with the verdict on its version. */
  installedBy?: { name: string; status: FreshnessStatus }
  managedBy?: ManagedBy
  /** Day of the facts about its releases, `YYYY-MM-DD`. */
  catalogDate: string
}
