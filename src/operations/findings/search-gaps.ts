import type { FindingCoverage } from '../../contract/finding.ts'

/** What a response cannot include. Null: no need to check. */
export type SearchGaps = Pick<FindingCoverage, 'unlisted_rows' | 'without_earlier_run' | 'incomparable_findings'>

export const noGaps: SearchGaps = { unlisted_rows: null, without_earlier_run: null, incomparable_findings: null }

/** Gaps of a run whose changes are all stored. */
export const noChangeGaps: SearchGaps = { ...noGaps, without_earlier_run: 0, incomparable_findings: 0 }

export function sumGaps(all: readonly SearchGaps[]): SearchGaps {
  const sum = (of: keyof SearchGaps) =>
    all.reduce<number | null>((total, { [of]: own }) => (own === null ? total : (total ?? 0) + own), null)
  return {
    unlisted_rows: sum('unlisted_rows'),
    without_earlier_run: sum('without_earlier_run'),
    incomparable_findings: sum('incomparable_findings'),
  }
}
