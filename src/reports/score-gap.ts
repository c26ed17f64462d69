/** A score this low shows that a check failed, whatever the weights in the scanner's formula. */
const low = 50
/** Largest difference that rounding can cause between a score and the one derived from its checks. */
const rounding = 1.5

interface ScoreEvidence {
  score: number | undefined
  /** Score derived from the listed checks by the scanner's formula; undefined if unknown. */
  explained?: number | undefined
  /** No check failed, and all ran. */
  isClean: boolean
}

/** Why a scanner's score shows that its report hides findings. */
export function scoreGap({ score, explained, isClean }: ScoreEvidence): string | undefined {
  if (score === undefined) return undefined
  const isTooLow = explained === undefined ? isClean && score <= low : score < explained - rounding
  return isTooLow ? `the score is ${Math.round(score * 100) / 100}, lower than what the report lists makes` : undefined
}
