import { isUnrated, type Rated, type RatingSeverity, ratedText, ratingText } from '../contract/rating-text.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'
import { type Said, safe, type Tone } from './said.ts'
import { columnsOf } from './view.ts'

/** The rating as a finding's severity: an unrated advisory has an unknown one. */
export const ratedSeverity = (severity: RatingSeverity): FindingSeverity => (isUnrated(severity) ? 'unknown' : severity)
export const ratingTone = (severity: RatingSeverity): Tone => ratedSeverity(severity)

/** `critical, exploited` */
export const ratedSaid = ({ severity, exploited }: Rated): Said => [
  safe(ratingText(severity), ratingTone(severity)),
  ...(exploited ? [safe(', '), safe('exploited', 'bad')] : []),
]

export interface ShownAdvisory extends Rated {
  id: string
  published: string | null
  score?: number | null
  fixed_in?: string | null
  fixed_in_line?: string | null
}

export const advisoryColumns = columnsOf<ShownAdvisory>()({
  advisory: { text: ({ id }) => id, reveals: 'safe', tone: () => 'strong', link: ({ id }) => ({ page: 'impact', id }) },
  severity: {
    text: ratedText,
    said: ratedSaid,
    reveals: 'safe',
    data: ({ severity }) => ratingText(severity),
    tone: ({ severity }) => ratingTone(severity),
  },
  score: { reveals: 'safe', align: 'right', from: 100, text: ({ score }) => score?.toFixed(1) ?? null },
  published: { text: ({ published }) => published, reveals: 'safe' },
  fixed_in: { reveals: 'safe', text: ({ fixed_in_line, fixed_in }) => fixed_in_line ?? fixed_in ?? 'no release' },
})
