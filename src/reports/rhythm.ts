const fewestGaps = 4
/** Half of the gaps may be longer than the middle one, so that twice of it is no silence yet. */
const silentAfterGaps = 3
const shortestSeconds = 3600

/**
 * How often a cluster is usually scanned, in seconds, from the times of its last scans, the oldest first. Undefined where too few
 * are known, or where they follow no rhythm.
 */
export function usualInterval(times: readonly number[]): number | undefined {
  const gaps = times.slice(1).map((at, i) => at - times[i]!)
  // Scans of one moment, such as a repeated upload, are one.
  const apart = gaps.filter((gap) => gap >= shortestSeconds).sort((a, b) => a - b)
  if (apart.length < fewestGaps) return undefined
  const middle = apart[Math.floor(apart.length / 2)]!
  const [low, high] = [apart[Math.floor(apart.length / 4)]!, apart[Math.floor((apart.length * 3) / 4)]!]
  return high <= low * 3 ? middle : undefined
}

/** Whether the last scan is longer ago than the rhythm explains. */
export const isSilent = (usual: number, silentFor: number): boolean => silentFor > usual * silentAfterGaps
