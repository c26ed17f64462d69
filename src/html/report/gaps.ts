import { drawSaid } from '../../render/html/draw.ts'
import { clean, html } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { count } from '../../util/words.ts'
import { checksNotRun, unnamedText } from '../../views/not-run.ts'
import { everyCheckRan, runGaps } from '../../views/run-gaps.ts'
import { titles } from '../../views/titles.ts'
import { missingParts, type RunReport } from './report.ts'

/** All limitations of the report. */
export function renderGaps(report: RunReport) {
  const { run, gate, findings, comparison, freshness, trends, madeAt } = report
  const known = { findings: findings.found, comparison: comparison.found, freshness: freshness.found }
  const parts = { Gate: gate, Changes: comparison, Findings: findings, Freshness: freshness, Trends: trends }
  const sentences = runGaps({ run, missing: missingParts(parts), ...known }, madeAt)
  const list = html`<ul class="plain">${sentences.map((said) => html`<li>${drawSaid(said)}</li>`)}</ul>`
  const all = everyCheckRan(run)
  if (all)
    return html`<p>${drawSaid(all)}${sentences.length > 0 && ' Other limits of this report:'}</p>${sentences.length > 0 && list}`
  const { named, unnamed } = checksNotRun(run)
  return html`${list}
${table(
  [
    { title: titles.check, value: ({ check_id }) => clean(check_id, 100) },
    { title: titles.name, value: (check) => clean(check.name) },
    { title: titles.reason, value: ({ reason }) => clean(reason, 500) || 'No reason is given.' },
  ],
  named,
  { caption: `${count(named.length + unnamed, 'check')} did not run, and so neither passed nor failed.` },
)}
${unnamed > 0 && html`<p class="note">${unnamedText(unnamed)}.</p>`}`
}
