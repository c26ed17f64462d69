import type { gapStates } from '../contract/choices.ts'
import type { Reason } from './reason.ts'

/** Which gaps of a scan can hide what a rule asks for. */
export type GapScope = 'changes' | 'findings' | 'score' | 'artifacts' | 'vulnerabilities' | 'aks' | 'none'

/** What no line of the policy lets pass: rules need something to compare with, an answer of the server, and a report. */
export const neverAccepted: readonly string[] = ['baseline', 'server', 'report']

/** Something that was not read, or is not known, and leaves a rule undecided. */
export interface Gap<R = Reason> {
  /** A check, a class of results, a kind of reports; or facts, such as `advisories`. `*`: any. */
  part: string
  /** A namespace. */
  place?: string
  state: (typeof gapStates)[number]
  reason: R
}
