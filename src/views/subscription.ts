import type { Tone } from './said.ts'

/** Paused subscriptions send no notifications. */
export const channelTone = ({ notifications_paused }: { notifications_paused: boolean | null }): Tone | undefined =>
  notifications_paused ? 'warn' : undefined
