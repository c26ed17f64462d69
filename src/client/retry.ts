import { firstPauseMs } from './first-pause.ts'

/** How often what may be repeated is tried. */
const tries = 4
/** A longer `Retry-After` is reported as an error instead of waiting. */
const longestPauseMs = 20_000

/** Milliseconds to wait before the next try; undefined to give up. `retryAfter` in seconds. */
export function pauseBefore(next: number, retryAfter: number | undefined): number | undefined {
  if (next > tries) return undefined
  const ours = firstPauseMs * 2 ** (next - 2)
  // Clients that failed together do not come back together.
  const pause = Math.max((retryAfter ?? 0) * 1000, ours / 2 + (Math.random() * ours) / 2)
  return pause > longestPauseMs ? undefined : pause
}

/** Tells of a moment's trouble, in the server or before it. */
export const passingStatuses = new Set([429, 502, 503, 504])
