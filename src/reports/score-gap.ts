/** How far rounding may move a score from what its checks explain. */
const rounding = 1.5

interface ScoreEvidence {
  score: number | undefined
  /** What the listed checks make by the scanner's formula; undefined where that is not known. */
  explained: number | undefined
  /** Nothing failed, and everything ran. */
  isClean: boolean
}

/** Why a scanner's score shows that its report hides findings, or a full score that it is not the report's own. */
export function scoreGap({ score, explained, isClean }: ScoreEvidence): string | undefined {
  if (score === undefined) return undefined
  const expected = isClean ? 100 : explained
  if (expected === undefined) return undefined
  const isTooLow = score < expected - rounding
  const isTooHigh = score >= 100 && expected < 100 - rounding
  if (!isTooLow && !isTooHigh) return undefined
  return `the score is ${round(score)}, and what the report lists makes ${round(expected)}`
}

const round = (score: number): number => Math.round(score * 100) / 100
