import { plain } from '../../render/terminal/terminal.ts'
import type { SubmitStep } from '../../submit/context.ts'
import type { Io } from './io.ts'
import { type LiveOutput, showLive } from './live-output.ts'
import { startProgress } from './progress.ts'

/** Reports of this size in bytes take noticeable time to store. */
const largeReport = 8_000_000

/** Shows the progress of a submission. */
export function showSteps(io: Io) {
  let live: LiveOutput | undefined
  let end = () => {}
  return {
    onProgress: (step: SubmitStep | undefined) => {
      end()
      live = undefined
      end = () => {}
      if (step?.name === 'scan') {
        live = showLive(io, formatTitle(step))
        end = live.end
      } else if (step) {
        end = startProgress(io, formatTitle(step), { atOnce: step.name === 'store' && step.bytes > largeReport })
      }
    },
    /** Called with each line that the scanner prints. */
    onOutput: (line: string) => live?.line(line),
  }
}

function formatTitle(step: SubmitStep) {
  switch (step.name) {
    case 'scan':
      return `Scanning ${step.cluster ? `${plain(step.cluster)} ` : ''}with ${step.runner}`
    case 'inventory':
      return 'Collecting the inventory'
    case 'collect':
      return `Reading the reports of ${step.from}`
    case 'read':
      return 'Reading the report'
    case 'store':
      return 'Storing the report'
    case 'send':
      return `Sending ${step.number} of ${step.total}`
    case 'judge':
      return 'Checking the gate'
  }
}
