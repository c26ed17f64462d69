import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { runDetails } from '../../../views/run.ts'
import { renderDetails, toFields } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'

/** A run in a few lines: all details, or some. */
export function renderRun(
  io: Io,
  run: ReceivedRun,
  { only, ...known }: Parameters<typeof runDetails>[1] & { only?: string[] },
): string {
  const details = runDetails(run, known)
  return renderDetails(io, toFields(io, only ? details.filter(({ title }) => only.includes(title)) : details))
}
