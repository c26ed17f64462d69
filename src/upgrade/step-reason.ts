import type { UpgradeEvidence } from '../contract/upgrade.ts'

/** A line of `why`, and the fact that it states. */
export interface StepReason {
  says: string
  fact?: UpgradeEvidence
}

/** Converts reasons to the lines of a step and its evidence, each fact with its line; `others` have none. */
export function explainStep(reasons: readonly StepReason[], others: readonly UpgradeEvidence[] = []) {
  const stated = reasons.flatMap(({ fact }, why_line) => (fact ? [{ ...fact, why_line }] : []))
  return { why: reasons.map(({ says }) => says), evidence: [...stated, ...others] }
}
