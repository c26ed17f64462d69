import type { Column } from '../../../render/terminal/table.ts'
import { countScoreGaps, gapNote, hasGaps, markedScore, type ScoreGaps } from '../../../views/score.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { note, type Remark } from '../../output/remarks.ts'

type Scored = ScoreGaps & { score: number | null }

/**
 * The score, marked on a terminal if it has gaps. Other formats have a plain number, and the count of gaps in another
 * column.
 */
export function scoreColumns<Row>(
  { isTerminal }: Io,
  rows: Row[],
  scoredOf: (row: Row) => Scored | null | undefined,
): Column<Row>[] {
  const toText = (scored: Scored | null | undefined) =>
    isTerminal ? markedScore(scored?.score, scored ?? {}) : scored?.score == null ? null : String(scored.score)
  const toCount = (scored: Scored | null | undefined) => (scored ? countScoreGaps(scored) : undefined)
  const isShown = !isTerminal && rows.some((row) => toCount(scoredOf(row)))
  return [
    { title: titles.score, value: (row) => toText(scoredOf(row)), align: 'right' },
    {
      title: titles.score_gaps,
      value: (row) => toCount(scoredOf(row))?.toString() ?? null,
      align: 'right',
      ...(!isShown && { only: 'data' }),
    },
  ]
}

/** Explains the mark if a score has it. */
export function gapRemarks({ isTerminal }: Io, scored: (Scored | null | undefined)[]): Remark[] {
  return isTerminal && scored.some((each) => each?.score != null && hasGaps(each)) ? [note(gapNote)] : []
}
