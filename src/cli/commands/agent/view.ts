import type { HistoryItem } from '../../../agent/view.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { formatDuration } from '../../../util/duration.ts'
import { outcomeTone } from '../../../views/agent.ts'
import type { Io } from '../../output/io.ts'

export const occurrenceColumns = (io: Io, now: number): Column<HistoryItem>[] => [
  { title: 'Due', value: ({ due_at }) => when(due_at, { isTerminal: io.isTerminal, now }) },
  { title: 'Job', value: ({ job }) => job, style: (cell) => io.color.bold(cell), min: 6 },
  {
    title: 'Outcome',
    value: outcomeText,
    style: (cell, { state }) => paint(io, outcomeTone(state))(cell),
  },
  { title: 'Score', value: ({ score }) => score?.toFixed(1) ?? '', align: 'right' },
  { title: 'Gate', value: ({ verdict }) => verdict ?? '' },
  { title: 'Run', value: ({ run_id }) => run_id ?? '', min: 6 },
  { title: 'Detail', value: ({ detail }) => detail?.split('\n', 1)[0] ?? '', min: 12 },
]

function outcomeText({ state, late_seconds, count }: HistoryItem): string {
  if (state === 'missed') return count === 1 ? 'missed' : `missed ${count ?? 'over 100'}`
  return late_seconds > 0 && state !== 'skipped' ? `${state}, ${formatDuration(late_seconds)} late` : state
}
