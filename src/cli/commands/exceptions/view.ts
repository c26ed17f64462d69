import type { StoredException } from '../../../contract/exception.ts'
import { dataColumns, drawColumns, drawSaid } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { exceptionColumns, exceptionTone, targetText } from '../../../views/exception.ts'
import { safe } from '../../../views/said.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'

const listed = (['id', 'until', 'matches', 'reason', 'by', 'since'] as const).map((key) => exceptionColumns[key])

export const columns = (io: Io): Column<StoredException>[] =>
  io.isTerminal ? drawColumns(io, listed) : dataColumns(listed)

export function renderException(io: Io, exception: StoredException): string {
  const { exception_id, state, reason, expires_on, created_at, created_by, ended_at, ended_by, justification } =
    exception
  const details: [string, string][] = [
    ['ID', io.color.bold(exception_id)],
    ['State', drawSaid(io, [safe(state, exceptionTone(exception))])],
    ['Matches', plain(targetText(exception))],
    ['Reason', plain(reason)],
    ...(justification === null ? [] : [['Justification', justification] satisfies [string, string]]),
    ['Until', expires_on],
    ['Added', `${created_at} by ${plain(created_by)}`],
    ...(ended_at === null ? [] : [['Ended', `${ended_at} by ${plain(ended_by ?? '-')}`] satisfies [string, string]]),
  ]
  return renderDetails(io, details)
}
