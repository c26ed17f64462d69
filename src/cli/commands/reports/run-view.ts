import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { drawSaid } from '../../../render/terminal/draw.ts'
import { runDetails } from '../../../views/run.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'

/** A run in a few lines. */
export function renderRun(io: Io, run: ReceivedRun, known: Parameters<typeof runDetails>[1]): string {
  const fields = runDetails(run, known)
  return renderDetails(
    io,
    fields.map(({ title, lines }) => [title, lines.map((line) => drawSaid(io, line)).join('\n')]),
  )
}
