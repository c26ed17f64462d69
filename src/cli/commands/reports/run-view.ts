import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { runDetails, verdictDetails } from '../../../views/run.ts'
import { renderDetails, toFields } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'

/** A run in a few lines. */
export function renderRun(io: Io, run: ReceivedRun, known: Parameters<typeof runDetails>[1]) {
  return renderDetails(io, toFields(io, runDetails(run, known)))
}

/** What comes before the verdict of a run. */
export const renderJudged = (io: Io, run: ReceivedRun) => renderDetails(io, toFields(io, verdictDetails(run)))
