import type { Plan } from '../../../contract/subscription.ts'

/** Plans as users type them. */
export const planWords = ['free', 'pro', 'pro-plus'] as const
export type PlanWord = (typeof planWords)[number]

export const planFor = (word: PlanWord): Plan => (word === 'pro-plus' ? 'pro_plus' : word)
