import { type lookedAtParts, ratedSeverities } from '../contract/choices.ts'
import type { RatedSeverity } from '../contract/scan-finding.ts'
import type { Exception } from './exception.ts'
import type { GateRule } from './rule.ts'
import type { UndecidedLine } from './undecided-line.ts'

/**
 * How rules count a finding that its scanner does not rate: by the severity that relt assigns, not at all, or with a fixed
 * severity.
 */
export type Unrated = 'ignore' | 'undecided' | RatedSeverity

export const unratedChoices: readonly [Unrated, ...Unrated[]] = ['ignore', 'undecided', ...ratedSeverities]

/** Whether rules about new findings count these. Events expire after an hour. */
type EventChoice = 'ignore' | 'count'

/** Effect of an advisory without a severity on rules about advisories. */
export type UnknownSeverity = 'undecided' | 'fail' | 'ignore'

/** A line of the policy's key `baseline`: runs of a commit or day are taken in until a day. */
export interface TakenInLine {
  cluster: string
  /** Name of the image, folder or tool (default: the cluster itself). */
  subject?: string | undefined
  commit?: string | undefined
  day?: string | undefined
  reason: string
  /** `YYYY-MM-DD`: the last day (UTC). */
  expires: string
  source: string
}

export interface Policy {
  /** The files and options of the policy; verdicts are recorded under this name. */
  name?: string
  rules: GateRule[]
  /** The branch whose runs are the state of images, folders and tools (default: that of a cluster's first run). */
  branch?: string | undefined
  /** Parts that scans of Trivy look at, also without a result: see `StatedLook`. */
  lookedAt?: (typeof lookedAtParts)[number][] | undefined
  /** What rules about changes compare with, in place of their own baselines. */
  baseline?: string | undefined
  /** `YYYY-MM-DD`: scans of this day begin the baseline of a cluster that has none. */
  begin?: string | undefined
  takenIn?: TakenInLine[]
  undecided?: UndecidedLine[]
  exceptions: Exception[]
  /** Why the server cannot return its exceptions, in one sentence. */
  exceptionsGap?: string | undefined
  unknownSeverity?: UnknownSeverity
  unrated?: Unrated
  events?: EventChoice
  /** Whether findings of a workload that has another name than in the baseline are new (default: ignore). */
  renamed?: EventChoice
  /** Rules on advisories ignore those published within this many days. */
  graceDays?: number | undefined
}
