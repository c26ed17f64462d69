/** A score at most so high shows that something failed, however the scanner's formula weighs it. */
const low = 50
/** How far rounding may move a score from what its checks explain. */
const rounding = 1.5

interface ScoreEvidence {
  score: number | undefined
  /** What the listed checks make by the scanner's formula; undefined where that is not known. */
  explained?: number | undefined
  /** Nothing failed, and everything ran. */
  isClean: boolean
}

/** Why a scanner's score shows that its report hides findings. */
export function scoreGap({ score, explained, isClean }: ScoreEvidence): string | undefined {
  if (score === undefined) return undefined
  const isTooLow = explained === undefined ? isClean && score <= low : score < explained - rounding
  return isTooLow ? `the score is ${Math.round(score * 100) / 100}, lower than what the report lists makes` : undefined
}
