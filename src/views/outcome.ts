import type { DeliveryRecord } from '../contract/delivery.ts'
import { safe, type Tone } from './said.ts'
import type { Note } from './view.ts'

/** How something ended that was tried: a sign-in, an upload, a signature. */
export const triedTone = (worked: boolean): Tone => (worked ? 'good' : 'bad')

/** Of a check of relt's own surroundings. */
export const checkTones: Record<'ok' | 'warn' | 'fail', Tone> = { ok: 'good', warn: 'warn', fail: 'bad' }

/** Of a thing that a run needs and that may be missing without harm. */
export const readyTone = (isReady: boolean): Tone => (isReady ? 'good' : 'soft')

/** Of a notification: a failed one is tried again, a dead one is not. */
export const deliveryTones: Record<DeliveryRecord['state'], Tone> = {
  pending: 'warn',
  sending: 'warn',
  failed: 'warn',
  dead: 'bad',
  delivered: 'good',
  accepted: 'good',
  skipped: 'soft',
}

/** Of a server without delivery. */
export const sendsNone: Note = { tone: 'warn', said: [safe('This server queues notifications and sends none.')] }

/** An address that is a secret, and will not be shown again. */
export const shownOnce: Note = {
  tone: 'warn',
  said: [safe('The address is shown only now. Whoever has it can read the feed, until you revoke it.')],
}

/** Of a change that a plan makes. */
export const actionTones: Record<'add' | 'change' | 'remove', Tone> = { add: 'good', change: 'warn', remove: 'bad' }

/** What was left undone, and needs somebody. */
export const undoneTone: Tone = 'warn'
