import { plain } from '../../render/terminal/terminal.ts'
import type { Io } from './io.ts'
import { progressPatienceMs } from './progress-patience.ts'

export const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

/** Shows progress on a terminal while the work runs. */
export async function withProgress<T>(io: Io, label: string, work: () => Promise<T>) {
  const end = startProgress(io, label)
  try {
    return await work()
  } finally {
    end()
  }
}

/** Shows progress on a terminal after a delay, or immediately for work that blocks drawing, until the result is called. */
export function startProgress(io: Io, label: string, { atOnce } = { atOnce: false }): () => void {
  if (!io.errCanRedraw) return () => {}
  let frame = 0
  const draw = () => io.err(`\r${io.errColor.cyan(frames.charAt(frame++ % frames.length))} ${plain(label)}\u001b[K`)
  if (atOnce) draw()
  const started = Date.now()
  const timer = setInterval(() => {
    if (Date.now() - started > progressPatienceMs) draw()
  }, 100)
  return () => {
    clearInterval(timer)
    if (frame > 0) io.err('\r\u001b[K')
  }
}
