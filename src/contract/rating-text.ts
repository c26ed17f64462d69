import type { RunningAdvisory } from './freshness.ts'

export type RatingSeverity = RunningAdvisory['severity'] | undefined

/** No database rates it; some servers use `none` for that. */
export const isUnrated = (severity: RatingSeverity): severity is 'none' | null | undefined =>
  !severity || severity === 'none'

export const ratingText = (severity: RatingSeverity): string => (isUnrated(severity) ? 'unrated' : severity)
export interface Rated {
  severity: RatingSeverity
  exploited?: unknown
}

export const ratedText = ({ severity, exploited }: Rated) => `${ratingText(severity)}${exploited ? ', exploited' : ''}`
