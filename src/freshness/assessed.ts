import type { FreshnessStatus } from '../contract/freshness.ts'
import type { AdvisoryBook } from './affected.ts'
import type { RunningSecurity } from './affecting.ts'
import type { Support } from './cycle-of.ts'
import type { FindFault } from './facts/release-faults.ts'
import type { ArtifactStates } from './states.ts'
import type { FoundSteps, StepQuestion } from './steps/find-steps.ts'
import type { StepPlace } from './steps/place.ts'
import type { AssessmentSubject } from './subject.ts'
import type { VersionVerdict } from './verdict.ts'

/** The managed offering that runs an artifact itself. */
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
  /** Undefined if there are no known advisories, or the version cannot be compared with them. */
  security: RunningSecurity | undefined
  /** Advisories about its project, if it has the project's version numbers. */
  advisoryBook: AdvisoryBook | undefined
  newest: string | null
  support: Support | undefined
  place: StepPlace
  states: ArtifactStates
  /** Finds why a version of it is faulty. */
  findFault: FindFault
  steps: FoundSteps
  /** Input for finding steps; undefined if no newer version may be suggested. */
  question: StepQuestion | undefined
  /** A chart installs the image. */
  isInherited: boolean
  /** That chart, with the status of its version. */
  installedBy?: { name: string; status: FreshnessStatus }
  managedBy?: ManagedBy
  /** Day of the facts about its releases, `YYYY-MM-DD`. */
  catalogDate: string
}
