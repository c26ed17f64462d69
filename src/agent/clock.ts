import type { UnixSeconds } from '../util/time.ts'

/** A clock, replaced in tests. */
export interface Clock {
  now: () => UnixSeconds
  /** Returns early when the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export const systemClock = (now: () => number): Clock => ({
  now,
  sleep: (ms, signal) => sleep(ms < 1000 ? ms : untilWholeSecond(ms), signal),
})

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

/** Rounds long pauses to a whole second, so that an idle process wakes up once for all of them. */
function untilWholeSecond(ms: number) {
  const end = Date.now() + ms
  return ms + ((1000 - (end % 1000)) % 1000)
}

/** Waits for the work, at most this long and until the signal. */
export async function within(ms: number, work: Promise<unknown>, signal?: AbortSignal) {
  const ended = new AbortController()
  const end = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])])
  await Promise.race([work, sleep(ms, end)]).finally(() => ended.abort())
}
