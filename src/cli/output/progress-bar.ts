import { plain } from '../../render/terminal/terminal.ts'
import type { Io } from './io.ts'

const width = 24
const pauseMs = 100

type ShowProgress = (done: number, total: number, note: string) => void

/** Shows a progress bar while the work runs. */
export function withProgressBar<T>(io: Io, work: (show: ShowProgress) => Promise<T>) {
  const bar = openProgressBar(io)
  return work(bar.show).finally(bar.close)
}

/** On a terminal, a progress bar for work of known size, redrawn at a limited rate. */
function openProgressBar(io: Io): { show: ShowProgress; close: () => void } {
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
