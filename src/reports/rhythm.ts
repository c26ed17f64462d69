const fewestGaps = 4
/**
 * A cluster is silent after this many usual intervals. Half of all intervals may be longer than the median, so two are not
 * enough.
 */
const silentAfterGaps = 3
const shortestSeconds = 3600

/**
 * The usual interval between scans of a cluster in seconds, from the times of its last scans, oldest first. Undefined with
 * too few scans, or if they are irregular.
 */
export function usualInterval(times: readonly number[]): number | undefined {
  const gaps = times.slice(1).map((at, i) => at - times[i]!)
  // Scans close together, such as a repeated upload, count as one.
  const apart = gaps.filter((gap) => gap >= shortestSeconds).sort((a, b) => a - b)
  if (apart.length < fewestGaps) return undefined
  const middle = apart[Math.floor(apart.length / 2)]!
  const [low, high] = [apart[Math.floor(apart.length / 4)]!, apart[Math.floor((apart.length * 3) / 4)]!]
  return high <= low * 3 ? middle : undefined
}

/** Whether the last scan is longer ago than the usual interval allows. */
export const isSilent = (usual: number, silentFor: number): boolean => silentFor > usual * silentAfterGaps
