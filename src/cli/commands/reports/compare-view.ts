import type { ReceivedComparison, ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { drawFigure, drawNote, drawSaid, paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { andMore, count } from '../../../util/words.ts'
import { type ComparisonView, changeKinds, toChanges, toldFigures, viewComparison } from '../../../views/comparison.ts'
import type { ShownFinding } from '../../../views/finding.ts'
import { notRunLines } from '../../../views/not-run-text.ts'
import { say } from '../../../views/said.ts'
import { clusterPiece } from '../../../views/scan.ts'
import type { Io } from '../../output/io.ts'
import { drawChanges } from './draw-changes.ts'

/** Shows at most `limit` findings of each kind, and with `explain` the full reasons of checks that did not run. */
export function renderComparison(
  io: Io,
  comparison: ReceivedComparison,
  { limit, explain }: { limit?: number | undefined; explain?: boolean | undefined } = {},
) {
  const view = viewComparison(comparison)
  const { score, notes, notRun, changes, incomparable } = view
  // Check → number of findings that are not compared.
  const hidden = new Map(
    incomparable?.rows
      .filter(({ reason }) => reason === 'check_not_run')
      .map(({ check_id, count }) => [check_id, count]),
  )
  const noteFor = ({ check_id }: { check_id: string }) => {
    const lost = hidden.get(check_id)
    return lost ? `; ${count(lost, 'finding')} not compared` : ''
  }
  const totals = toldFigures(view).map((figure) => drawFigure(io, figure))
  const above = [
    renderTitle(io, comparison, view),
    `Score ${drawSaid(io, say`${score.before} \u2192 ${score.after} ${score.change}`)}   ${totals.join(', ')}\n`,
    ...notes.map((note) => `${drawNote(io, note)}\n`),
    ...notRun.flatMap((group) => notRunLines(group, { explain, noteFor })).map((line) => `${drawSaid(io, line)}\n`),
    renderRiskPaths(io, view),
  ].join('')
  return `${above}${drawChanges(io, changes, { limit, linesAbove: above.split('\n').length - 1 })}`
}

function renderTitle(io: Io, { from, to, cluster_name, environment }: ReceivedComparison, view: ComparisonView) {
  const title = (run: Parameters<typeof clusterPiece>[0]) => drawSaid(io, clusterPiece(run))
  const [before, after] = [minuteOf(from), minuteOf(to)]
  return view.isAcross
    ? `${title(from)}  ${before} → ${title(to)}  ${after}\n`
    : `${title(to ?? { cluster_name, environment })}  ${before} → ${after}${scannerText(to)}\n`
}

const scannerText = (run: ReceivedRun | null) => (!run?.format || run.format === 'kubebuddy' ? '' : ` by ${run.format}`)

const mostPaths = 4

function renderRiskPaths(io: Io, { riskPaths }: ComparisonView) {
  const [change] = riskPaths?.columns ?? []
  return [...Map.groupBy(riskPaths?.rows ?? [], (row) => row.change)]
    .map(([word, rows]) => {
      const names = rows
        .slice(0, mostPaths)
        .map(({ id, name, note, isCompared }) => plain(isCompared ? `${id} ${name}` : `${id} (${note})`))
      const more = rows.length - names.length
      const line = `${count(rows.length, 'risk path')} ${word}: ${names.join(', ')}${more > 0 ? ` ${andMore(more)}` : ''}\n`
      return paint(io, change?.tone?.(rows[0]!))(line)
    })
    .join('')
}

/** For data formats: one row per change. */
export function listChanges(comparison: ReceivedComparison): ShownFinding[] {
  return changeKinds.flatMap((kind) =>
    toChanges(comparison, kind).list.map((finding) => ({ ...finding, change: kind })),
  )
}

const minuteOf = (run: ReceivedRun | null) => (run && scannedAt(run)?.slice(0, 16)) ?? '-'
