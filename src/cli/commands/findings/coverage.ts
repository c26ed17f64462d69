import type { RunsCoverage } from '../../../contract/finding.ts'
import { coverageNotes, runNotes } from '../../../views/coverage.ts'
import { formatRemark, type Remark } from '../../output/remarks.ts'

/** Gaps of the runs behind an answer that does not list findings. */
export const runsRemarks = (looked: RunsCoverage, now: number): Remark[] => runNotes(looked, { now }).map(formatRemark)

/** Runs behind the answer, with clusters and checks that it does not cover. */
export const coverageRemarks = (...looked: Parameters<typeof coverageNotes>): Remark[] =>
  coverageNotes(...looked).map(formatRemark)
