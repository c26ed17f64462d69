import type { Tone } from './said.ts'

/** Of a source of releases: what never answered, or no longer does, is not known to be current. */
export const healthTone = (health: string): Tone => (health === 'ok' ? 'good' : 'warn')
