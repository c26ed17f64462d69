import type { Tone } from './said.ts'

/** Nobody hears of what is paused. */
export const channelTone = ({ notifications_paused }: { notifications_paused: boolean | null }): Tone | undefined =>
  notifications_paused ? 'warn' : undefined
