import type { Plan } from '../../../contract/subscription.ts'

/** Plans as users type them. */
export const planWords = ['free', 'pro', 'pro-plus'] as const

export const planFor = (word: (typeof planWords)[number]): Plan => (word === 'pro-plus' ? 'pro_plus' : word)
