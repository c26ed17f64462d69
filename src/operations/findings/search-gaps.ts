import type { FindingCoverage } from '../../contract/finding.ts'

/** What a response cannot include. Null: no need to check. */
export type SearchGaps = Pick<FindingCoverage, 'unlisted_rows' | 'incomparable_findings'>

export const noGaps: SearchGaps = { unlisted_rows: null, incomparable_findings: null }

/** Gaps of a run whose changes are all stored. */
export const noChangeGaps: SearchGaps = { ...noGaps, incomparable_findings: 0 }

export function sumGaps(all: readonly SearchGaps[]): SearchGaps {
  const sum = (of: keyof SearchGaps) =>
    all.reduce<number | null>((total, { [of]: own }) => (own === null ? total : (total ?? 0) + own), null)
  return {
    unlisted_rows: sum('unlisted_rows'),
    incomparable_findings: sum('incomparable_findings'),
  }
}
