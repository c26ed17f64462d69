import type { Eol } from '../contract/eol.ts'
import type { FreshnessItem } from '../contract/freshness.ts'
import type { AdvisoryCounts, StateReason } from '../contract/step.ts'

/** Numbers of a version: `['1', '15', '3']`. */
export interface Numbered {
  segments: readonly string[]
}

/** One running version of a project. */
export interface PlanPart {
  /** Parts with the same text have the same steps. */
  identity: string
  slug: string
  name: string
  /** Version as reported; null if unknown. */
  version: string | null
  /** Undefined if the version is unreadable. */
  numbers: Numbered | undefined
  isCoupled: boolean
  /** The project is not in the catalog. */
  isUnknown?: true
  /** The version is that of a chart, which differs from its app's. */
  isOfChart?: true
  /** States that the requested version is that of a chart which installs this one. */
  chartNote?: string
  /** Names of its running charts; absent without a cluster. */
  charts?: readonly string[]
  workloads: FreshnessItem['workloads']
  /** Sorted; absent if no owner is set in the cluster, or without a cluster. */
  owners?: string[]
  /** States such as retired, withdrawn or moved. */
  states: readonly StateReason[]
  support: Eol | undefined
  /** The last day on which its releases were read; absent if there are none, or none follow. */
  knownUntil?: string | undefined
  /** Why its version is not comparable with the project's releases, as a clause. */
  unmeasured?: string | undefined
  /** Whether the catalog lists a wanted release, acceptable or not. */
  hasRelease(isWanted: (version: Numbered) => boolean): boolean
  /** The newest acceptable step to a wanted version, from the function that decides all recommended versions. */
  stepTo(isWanted: (version: Numbered) => boolean): PartStep | undefined
  /** Why none of the wanted releases is acceptable, without its period; undefined if the catalog lists none. */
  whyNotTo(isWanted: (version: Numbered) => boolean): string | undefined
}

export interface PartStep {
  version: string
  numbers: Numbered
  via: string[]
  /** Numbers of the versions in `via`. */
  stops: readonly Numbered[]
  /** Manual actions and other remarks, in sentences. */
  notes: string[]
  fixes: AdvisoryCounts
  support: Eol | undefined
  /** The part after the step, with its running charts. */
  then(charts?: readonly string[]): PlanPart
}
