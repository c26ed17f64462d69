/**
 * Milliseconds of CPU time that this thread spends on the work: the best of three, so that neither other processes nor the
 * first compilation count.
 */
export function cpuMs(work: () => void): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}
