import { type Io, plain } from './io.ts'

const patienceMs = 800
const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

/**
 * Shows on a terminal that something goes on: once it has taken long enough to make people wonder, or at once where the
 * work will leave no time to draw.
 */
export async function withProgress<T>(
  io: Io,
  label: string,
  work: () => Promise<T>,
  options: { atOnce: boolean } = { atOnce: false },
): Promise<T> {
  if (!io.errCanRedraw) return work()
  let frame = 0
  const draw = () => io.err(`\r${io.errColor.cyan(frames.charAt(frame++ % frames.length))} ${plain(label)}\u001b[K`)
  if (options.atOnce) draw()
  const started = Date.now()
  const timer = setInterval(() => {
    if (Date.now() - started > patienceMs) draw()
  }, 100)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (frame > 0) io.err('\r\u001b[K')
  }
}
