import type { StoredException } from '../../../contract/exception.ts'
import { dataColumns, drawColumns, drawSaid } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { endCause, exceptionColumns, exceptionTone, targetText } from '../../../views/exception.ts'
import { untilSaid } from '../../../views/finding.ts'
import { plainText, safe } from '../../../views/said.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'

const listed = (['id', 'until', 'matches', 'reason', 'by', 'since'] as const).map((key) => exceptionColumns[key])

export const columns = (io: Io): Column<StoredException>[] =>
  io.isTerminal ? drawColumns(io, listed) : dataColumns(listed)

export function renderException(io: Io, exception: StoredException): string {
  const { exception_id, state, reason, expires_on, next_release, created_at, created_by, ended_at, justification } =
    exception
  const details: [string, string][] = [
    ['ID', io.color.bold(exception_id)],
    ['State', drawSaid(io, [safe(state, exceptionTone(exception))])],
    ['Matches', plain(targetText(exception))],
    ['Reason', plain(reason)],
    ...(justification === null ? [] : [['Justification', justification] satisfies [string, string]]),
    ['Until', plain(plainText(untilSaid({ expires_on, next_release_of: next_release?.name })))],
    ['Added', `${created_at} by ${plain(created_by)}`],
    ...(ended_at === null ? [] : [['Ended', `${ended_at} ${plain(endCause(exception))}`] satisfies [string, string]]),
  ]
  return renderDetails(io, details)
}
