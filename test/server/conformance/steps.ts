/** Beyond the contract: what a step does, and what is known of an artifact beside how far it is behind. */
const counts = {
  critical: 'integer',
  high: 'integer',
  medium: 'integer',
  low: 'integer',
  unrated: 'integer',
  exploited: 'integer',
} as const

export const step = {
  version: 'string',
  'image?': 'string',
  'chart?': 'string',
  via: 'anything',
  fixes: counts,
  leaves: counts,
  gains: 'anything',
  because: 'anything',
} as const

export const ofItem = {
  advisories_exploited: 'integer',
  exploited_undecided: 'integer',
  steps: 'anything',
  step_reasons: 'anything',
  states: 'anything',
  facts: 'anything',
  'notes?': 'anything',
} as const
