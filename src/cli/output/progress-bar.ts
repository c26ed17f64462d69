import { plain } from '../../render/terminal/terminal.ts'
import type { Io } from './io.ts'

const width = 24
const pauseMs = 100

/** On a terminal, a progress bar for work of known size, redrawn at a limited rate. */
export function openProgressBar(io: Io): {
  show: (done: number, total: number, note: string) => void
  close: () => void
} {
  let drawnAt = 0
  return {
    show(done, total, note) {
      const now = Date.now()
      if (!io.errCanRedraw || (now - drawnAt < pauseMs && done < total)) return
      drawnAt = now
      const full = Math.round((done / Math.max(total, 1)) * width)
      const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`
      io.err(`\r${io.errColor.cyan(bar)} ${done}/${total} ${plain(note)}\u001b[K`)
    },
    close() {
      if (drawnAt > 0) io.err('\r\u001b[K')
    },
  }
}
