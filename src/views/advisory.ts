import type { RunningAdvisory } from '../contract/freshness.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'
import { type Said, safe, type Tone } from './said.ts'
import { columnsOf } from './view.ts'

type Severity = RunningAdvisory['severity'] | undefined

/** No database rates it; some servers use `none` for that. */
const isUnrated = (severity: Severity): severity is 'none' | null | undefined => !severity || severity === 'none'

export const ratingText = (severity: Severity): string => (isUnrated(severity) ? 'unrated' : severity)
/** The rating as a finding's severity: an unrated advisory has an unknown one. */
export const ratedSeverity = (severity: Severity): FindingSeverity => (isUnrated(severity) ? 'unknown' : severity)
export const ratingTone = (severity: Severity): Tone => ratedSeverity(severity)

export interface Rated {
  severity: Severity
  exploited?: unknown
}

/** `critical, exploited` */
export const ratedSaid = ({ severity, exploited }: Rated): Said => [
  safe(ratingText(severity), ratingTone(severity)),
  ...(exploited ? [safe(', '), safe('exploited', 'bad')] : []),
]
export const ratedText = ({ severity, exploited }: Rated) => `${ratingText(severity)}${exploited ? ', exploited' : ''}`

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
