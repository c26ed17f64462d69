import type { Tone } from './said.ts'
import type { ViewVerdict } from './view.ts'

export const verdictTones = {
  passed: 'good',
  failed: 'bad',
  undecided: 'warn',
  stated: 'strong',
} as const satisfies Record<ViewVerdict['state'], Tone>
