interface Growth<T> {
  run: (input: T) => unknown
  input: (size: number) => T
  /** What reads the input takes no more of it. */
  most?: number
}

const enoughMs = 10
const tries = 6
const longText = 250_000
/** A square of such lengths takes minutes. */
const harmlessMs = 20
/** About 2 when the time grows with the size, 4 when it grows with its square. */
const limit = 3

/**
 * How much more CPU time the work takes for twice the size. Tries again while that looks like too much, so that other
 * processes do not count.
 */
export function growthOf<T>({ run, input, most = 1_000_000 }: Growth<T>): number {
  let size = Math.min(1000, most / 2)
  while (size * 4 <= most && timeOf(() => run(input(size))) < harmlessMs) size *= 2
  const [small, large] = [input(size), input(size * 2)]
  // Copying a long text may take ten times as long as half of it. What long texts cost next to nothing does no harm.
  if (size >= longText && timeOf(() => run(large)) < harmlessMs) return 1
  let times = 1
  while (timeOf(() => run(small), times) < enoughMs) times *= 2
  let growth = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries && growth >= limit; i++) {
    const time = timeOf(() => run(large), times)
    const half = timeOf(() => run(small), times)
    // The system may count time in ticks, and none for the half.
    if (half > 0) growth = Math.min(growth, time / half)
  }
  return growth
}

/** Milliseconds of CPU time of this thread. */
function timeOf(work: () => void, times = 1): number {
  const before = process.threadCpuUsage()
  for (let i = 0; i < times; i++) work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
