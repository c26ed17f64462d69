import type { SuppressedFinding } from '../../contract/cluster-report.ts'
import type { Finding } from '../../contract/scan-finding.ts'
import { drawColumns, drawSaid, type Ink } from '../../render/html/draw.ts'
import { breakable, clean, command, html, link, trusted } from '../../render/html/markup.ts'
import { type HtmlColumn, table } from '../../render/html/table.ts'
import { equalShare } from '../../reports/equal-share.ts'
import { count, number } from '../../util/words.ts'
import { byPoints, leftOutSaid, severityFor } from '../../views/check.ts'
import { acceptedUntil, findingColumns, type ShownFinding } from '../../views/finding.ts'
import { findingTables } from '../../views/finding-tables.ts'
import { titles } from '../../views/titles.ts'
import { type ListedFindings, mostFindings, type RunReport, redactedInk } from './report.ts'
import { missingText } from './words.ts'

type CheckOfRun = ListedFindings['checks'][number]

const mostFixes = 10

/** The checks whose fix would raise the score most. */
export function renderFixes({ findings, run }: RunReport) {
  if (!findings.found) return missingText(findings.missing)
  const { basis, checks } = findings.found
  if (basis === null) return missingText('How much each check weighs is not known.')
  const fixes = checks.filter(({ points }) => (points ?? 0) > 0).sort(byPoints)
  if (fixes.length === 0) {
    return checks.length === 0
      ? html`<p>The checks that ran found nothing.</p>`
      : missingText('No check with findings counts towards the score.')
  }
  const how =
    run.score_source === 'computed' || basis === 'formula'
      ? "Points follow from relt's own formula: the report has no weights."
      : 'Points follow from the weights of the scanner.'
  return html`<p class="note">How much the score would rise if a check had no findings. ${how}</p>
<ol class="fixes">${fixes.slice(0, mostFixes).map(
    (
      check,
    ) => html`<li><strong>+${count(check.points ?? 0, 'point')}</strong> ${checkName(check)} (${drawSaid(severityFor(check))}, ${count(check.rows, 'finding')})
${advice(check)}</li>
`,
  )}</ol>
${fixes.length > mostFixes && html`<p class="note">${number(fixes.length - mostFixes)} more checks have points; all are listed below.</p>`}`
}

const checkName = ({ check_id, check_name }: Pick<CheckOfRun, 'check_id' | 'check_name'>) =>
  `${clean(check_id, 100)} ${clean(check_name, 200)}`

function advice({ recommendation, url }: CheckOfRun) {
  const page = link(url, 'More about this check')
  if (recommendation === null) return html`<p>The report recommends nothing. ${page}</p>`
  return html`<p>${clean(recommendation, 1000)} ${page}</p>`
}

/** All findings by check, the worst check first. */
export function renderFindings({ findings, run, csv, redactor }: RunReport) {
  if (!findings.found) return missingText(findings.missing)
  const { found } = findings
  const { checks, suppressed, suppressed_count, accepted_findings_count: accepted = 0 } = found
  const ink = redactedInk(redactor)
  const listed = shareOf(found)
  const shown = listed.reduce((sum, { items }) => sum + items.length, 0)
  const left = found.findings - shown
  return html`<p>${found.rows === found.findings ? count(found.rows, 'finding') : `${count(found.rows, 'finding')} (${number(found.findings)} different)`} from ${count(checks.length, 'check')}${accepted > 0 && `; exceptions accept ${number(accepted)} of them`}.</p>
${left > 0 && html`<p>${drawSaid(leftOutSaid(shown, found.findings))} ${restText(csv, run.run_id)}</p>`}
${listed.map(({ check, items }) => renderCheck(check, items, { isOpen: shown <= mostOpen, ink }))}
${suppressed_count > 0 && renderSuppressed(suppressed, suppressed_count)}`
}

/** The findings that a page lists: an equal share for each check. */
function shareOf({ checks, items }: ListedFindings) {
  const byCheck = Map.groupBy(items, ({ check_id }) => check_id)
  const share = equalShare(
    checks.map(({ check_id }) => byCheck.get(check_id)?.length ?? 0),
    mostFindings,
  )
  return checks.map((check) => ({ check, items: byCheck.get(check.check_id)?.slice(0, share) ?? [] }))
}

/** The list without the findings that a page omits. */
export const withoutRest = (found: ListedFindings): ListedFindings => ({
  ...found,
  items: shareOf(found).flatMap(({ items }) => items),
})

export const countListed = (found: ListedFindings) => shareOf(found).reduce((sum, { items }) => sum + items.length, 0)

function restText(csv: string | null, runId: string) {
  if (csv) return html`<a href="${encodeURIComponent(csv)}">${clean(csv)}</a> lists all.`
  return runId ? html`List the others: ${command(`relt findings list ${runId}`)}` : html``
}

/** One cell per row of a large report, without a title on each cell, built as text for speed. */
function renderCheck(check: CheckOfRun, items: Finding[], { isOpen, ink }: { isOpen: boolean; ink: Ink }) {
  const columns = drawColumns(findingTables.ofCheck, ink)
  const left = check.findings - items.length
  return html`<details${isOpen && html` open`} data-severity="${check.severity}"><summary><h3>${drawSaid(severityFor(check))} ${checkName(check)}</h3> <span class="soft">${count(check.rows, 'finding')}</span></summary>
${advice(check)}
${check.unlisted_rows > 0 && html`<p class="note">The scanner counted ${number(check.unlisted_rows)} more than its report lists.</p>`}
<table class="findings">
<thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${trusted(items.map((item) => findingRow(item, check, columns).toString()).join(''))}</tbody>
</table>
${left > 0 && html`<p class="note">${number(left)} more of this check are left out.</p>`}
</details>
`
}

const messageAt = findingTables.ofCheck.indexOf(findingColumns.message)

/** Shows a severity only if it differs from the check's, in the message's cell. */
function findingRow(finding: Finding, { severity: usual }: CheckOfRun, columns: HtmlColumn<ShownFinding>[]) {
  const own = finding.severity === usual ? '' : html`${drawSaid(severityFor(finding))} `
  return html`<tr>${columns.map(({ value }, i) => html`<td>${i === messageAt ? html`${own}${toText(finding)}` : (value(finding) ?? '-')}</td>`)}</tr>
`
}

function toText({ message, value, count: many = 1, accepted }: Finding) {
  // Some scanners write a dash for no value.
  const more = !value || value === '-' || message.includes(value) ? '' : ` (${clean(value, 200)})`
  return html`${clean(message, 400)}${more}${many > 1 && ` ×${number(many)}`}${accepted && html` <span class="soft">accepted until ${clean(acceptedUntil(accepted), 200)}: ${clean(accepted.reason, 300)}</span>`}`
}

/** A page with more findings collapses its checks, so that a phone shows the list of checks. */
const mostOpen = 200

const mostSuppressed = 300

function renderSuppressed(list: SuppressedFinding[], total: number) {
  return html`<h3>Suppressed (${number(total)})</h3>
${table(
  [
    { title: titles.severity, value: (finding) => drawSaid(severityFor(finding)) },
    { title: titles.check, value: checkName },
    { title: titles.namespace, value: ({ namespace }) => clean(namespace, 253) || null },
    { title: titles.resource, value: ({ resource }) => (resource ? breakable(clean(resource, 300)) : null) },
    {
      title: titles.reason,
      value: ({ reason, until }) =>
        clean([reason ?? 'No reason is given', until && `until ${until}`].filter(Boolean).join(', '), 400),
    },
  ],
  list,
  { caption: 'Findings that an annotation or the scanner suppresses', most: mostSuppressed },
)}`
}
