import { drawColumns, drawNote, drawSaid, plainInk } from '../../render/html/draw.ts'
import { command, html, time } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { scannedAt } from '../../reports/run-subject.ts'
import { number } from '../../util/words.ts'
import { type ComparisonView, countsSaid, unexplainedNote, viewComparison } from '../../views/comparison.ts'
import { findingTables } from '../../views/finding-tables.ts'
import { type RunReport, redactedInk } from './report.ts'
import { missingText } from './words.ts'

const most = 300

export function renderChanges({ comparison, redactor }: RunReport) {
  if (!comparison.found) return missingText(comparison.missing)
  const { from, to } = comparison.found
  const ink = redactedInk(redactor)
  const view = viewComparison(comparison.found)
  const columns = drawColumns(findingTables.reportOfChanges, ink)
  const listAll = from?.run_id && to?.run_id && `relt reports compare --from ${from.run_id} --to ${to.run_id}`
  return html`<p>Compared with the scan of ${time(from && scannedAt(from))}: ${drawSaid(countsSaid(view), ink)}.</p>
${view.notes.map((note) => drawNote(note, ink))}
${view.changes.map(({ heading, title, rows }) => {
  const rest = listAll && { rest: html`List them: ${command(`${listAll} --limit ${rows.length}`)}` }
  return html`<h3>${heading} (${number(rows.length)})</h3>
${table(columns, rows, { caption: title, most, ...rest })}`
})}
${limitTables(view, ink)}`
}

/** Findings that could not be compared, and changed risk paths. */
export function limitTables({ figures, incomparable, riskPaths }: ComparisonView, ink = plainInk) {
  const { data, title, value } = figures.incomparable
  return html`${
    incomparable
      ? html`<h3>${title} (${drawSaid(value, ink)})</h3>
${table(drawColumns(incomparable.columns, ink), incomparable.rows, { caption: incomparable.title })}`
      : !!data && drawNote(unexplainedNote(Number(data)))
  }
${
  riskPaths &&
  html`<h3>Risk paths</h3>
${table(drawColumns(riskPaths.columns, ink), riskPaths.rows, { caption: riskPaths.title })}`
}`
}
