import type { Eol } from '../contract/eol.ts'
import type { FreshnessItem } from '../contract/freshness.ts'
import type { AdvisoryCounts, StateReason } from '../contract/step.ts'

/** The numbers of a version: `['1', '15', '3']`. */
export interface Numbered {
  segments: readonly string[]
}

/** One version of a project that runs. */
export interface PlanPart {
  /** Parts with the same text have the same steps. */
  identity: string
  slug: string
  name: string
  /** As reported; null: unknown. */
  version: string | null
  /** Undefined: the version cannot be read. */
  numbers: Numbered | undefined
  isCoupled: boolean
  /** The catalog lacks the project. */
  isUnknown?: true
  /** The version is that of a chart which has other versions than its app. */
  isOfChart?: true
  /** The version that was asked for is one of a chart that installs this one, in a sentence. */
  chartNote?: string
  /** Names of its charts that run; absent where no cluster is meant. */
  charts?: readonly string[]
  workloads: FreshnessItem['workloads']
  /** Sorted; absent: no owner is set in the cluster, or no cluster is meant. */
  owners?: string[]
  /** What is retired, withdrawn or moved. */
  states: readonly StateReason[]
  support: Eol | undefined
  /** Why its version cannot be compared with the project's releases, as a clause. */
  unmeasured?: string | undefined
  /** Whether the catalog lists a release that is wanted, good or bad. */
  hasRelease(isWanted: (version: Numbered) => boolean): boolean
  /** The newest good step to a version that is wanted, by the one function that names versions. */
  stepTo(isWanted: (version: Numbered) => boolean): PartStep | undefined
  /** Why none of the releases that are wanted is good, without its full stop; undefined where the catalog lists none. */
  whyNotTo(isWanted: (version: Numbered) => boolean): string | undefined
}

export interface PartStep {
  version: string
  numbers: Numbered
  via: string[]
  /** The numbers of `via`. */
  stops: readonly Numbered[]
  /** What must be done by hand, and what else to know, in sentences. */
  notes: string[]
  fixes: AdvisoryCounts
  support: Eol | undefined
  /** The part after the step, with the charts of it that run. */
  then(charts?: readonly string[]): PlanPart
}
