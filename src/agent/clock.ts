import type { UnixSeconds } from '../util/time.ts'

/** A clock, replaced in tests. */
export interface Clock {
  now: () => UnixSeconds
  /** Returns early when the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export function systemClock(now: () => number): Clock {
  return {
    now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, ms < 1000 ? ms : untilWholeSecond(ms))
        signal.addEventListener('abort', end)
      }),
  }
}

/** Rounds long pauses to a whole second, so that an idle process wakes up once for all of them. */
function untilWholeSecond(ms: number): number {
  const end = Date.now() + ms
  return ms + ((1000 - (end % 1000)) % 1000)
}
