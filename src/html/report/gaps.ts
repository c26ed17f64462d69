import { clean, dated, html, type Markup } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { formatTimestamp } from '../../util/time.ts'
import { andMore, count } from '../../util/words.ts'
import { coverageText } from '../../views/coverage-text.ts'
import { checksNotRun, unnamedText } from '../../views/not-run.ts'
import { titles } from '../../views/titles.ts'
import { countUnlisted, type RunReport } from './report.ts'

/** Everything that the report cannot say, so that silence is no all-clear. */
export function renderGaps(report: RunReport): Markup {
  const { run } = report
  const { named, unnamed } = checksNotRun(run)
  const sentences = [
    ...(run.is_empty ? ['The report shows nothing that was looked at. Its findings and score mean nothing.'] : []),
    ...missingParts(report),
    ...findingGaps(report),
    ...catalogGaps(report),
  ]
  const list = html`<ul class="plain">${sentences.map((text) => html`<li>${dated(clean(text, 600))}</li>`)}</ul>`
  if (named.length + unnamed === 0) {
    const all = run.not_run_checks == null ? 'Whether every check ran is not known.' : 'Every check ran.'
    return html`<p>${all}${sentences.length > 0 && ' Other limits of this report:'}</p>${sentences.length > 0 && list}`
  }
  return html`${list}
${table(
  [
    { title: 'Check', value: ({ check_id }) => clean(check_id, 100) },
    { title: 'Name', value: (check) => clean(check.name) },
    { title: titles.reason, value: ({ reason }) => clean(reason, 500) || 'No reason is given.' },
  ],
  named,
  { caption: `${count(named.length + unnamed, 'check')} did not run, and so neither passed nor failed.` },
)}
${unnamed > 0 && html`<p class="note">${unnamedText(unnamed)}.</p>`}`
}

function missingParts({ gate, comparison, findings, freshness, trends }: RunReport): string[] {
  const parts = { Gate: gate, Changes: comparison, Findings: findings, Freshness: freshness, Trends: trends }
  return Object.entries(parts).flatMap(([title, { missing }]) =>
    missing === undefined ? [] : [`${title}: ${missing}`],
  )
}

function findingGaps({ run, comparison, findings: { found } }: RunReport): string[] {
  const excluded = found?.excluded_namespaces
  const hidden = found ? countUnlisted(found) : 0
  const incomparable = comparison.found?.incomparable_findings_count ?? 0
  return [
    ...(excluded && excluded.length > 0
      ? [`The scan left out ${count(excluded.length, 'namespace')}: ${namesOf(excluded)}.`]
      : []),
    ...(found && excluded === null ? ['Which namespaces the scan left out is not known.'] : []),
    ...(hidden > 0 ? [`The scanner counted ${count(hidden, 'finding')} that its report does not list.`] : []),
    ...(incomparable > 0 ? [`${count(incomparable, 'finding')} cannot be compared with the earlier run.`] : []),
    ...(run.suppressed_findings
      ? [`Suppressed in the cluster or the scanner: ${count(run.suppressed_findings, 'finding')}.`]
      : []),
  ]
}

function catalogGaps({ run, freshness: { found }, madeAt }: RunReport): string[] {
  if (!found) return []
  const { coverage, items, catalog_date: day } = found
  const today = formatTimestamp(madeAt).slice(0, 10)
  const undated = items.filter(({ artifact_type, eol }) => artifact_type !== 'helm_chart' && !eol).length
  return [
    coverage
      ? `Coverage of the catalog: ${coverageText(coverage, run, today)}.`
      : 'The server does not say how much the catalog covers.',
    ...(day === null ? ['The day of the catalog is not known.'] : [`Measured against the catalog of ${day}.`]),
    ...(undated > 0 ? [`The end of support is not known for ${count(undated, 'artifact')}.`] : []),
  ]
}

const mostNames = 12

function namesOf(names: string[]): string {
  const shown = names.slice(0, mostNames).map((name) => clean(name, 63))
  return `${shown.join(', ')}${names.length > mostNames ? ` ${andMore(names.length - mostNames)}` : ''}`
}
