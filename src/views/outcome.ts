import type { DeliveryRecord } from '../contract/delivery.ts'
import { safe, type Tone } from './said.ts'
import { noteIn } from './view.ts'

/** Tone for the outcome of an attempt: a sign-in, an upload, a signature. */
export const triedTone = (worked: boolean): Tone => (worked ? 'good' : 'bad')

/** Tones for checks of relt's own environment. */
export const checkTones: Record<'ok' | 'warn' | 'fail', Tone> = { ok: 'good', warn: 'warn', fail: 'bad' }

/** Tones for notifications: a failed one is retried, a dead one is not. */
export const deliveryTones: Record<DeliveryRecord['state'], Tone> = {
  pending: 'warn',
  sending: 'warn',
  failed: 'warn',
  dead: 'bad',
  delivered: 'good',
  accepted: 'good',
  skipped: 'soft',
}

/** Warns that an address is secret and shown only once. */
export const shownOnce = noteIn('warn', [
  safe('The address is shown only now. Whoever has it can read the feed, until you revoke it.'),
])

/** Tones for changes in a plan. */
export const actionTones: Record<'add' | 'change' | 'remove', Tone> = { add: 'good', change: 'warn', remove: 'bad' }

/** Tone for something that was not done and needs attention. */
export const undoneTone: Tone = 'warn'
