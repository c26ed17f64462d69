/** A score at most so high shows that something failed, however the scanner's formula weighs it. */
const low = 50

interface ScoreEvidence {
  score: number | undefined
  /** Nothing failed, and everything ran. */
  isClean: boolean
}

/** Why a scanner's score shows that its report hides findings. */
export function scoreGap({ score, isClean }: ScoreEvidence): string | undefined {
  if (score === undefined || !isClean || score > low) return undefined
  return `the score is ${Math.round(score * 100) / 100}, and nothing in the report failed`
}
