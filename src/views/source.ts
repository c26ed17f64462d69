import type { Tone } from './said.ts'

/** Tone of a release source: one that never answered, or no longer does, may be outdated. */
export const healthTone = (health: string): Tone => (health === 'ok' ? 'good' : 'warn')
