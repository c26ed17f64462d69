import type { ReceivedCluster } from '../../contract/received/cluster.ts'
import type { ReceivedClusterTrend } from '../../contract/received/cluster-report.ts'
import type { FleetUpgrade } from '../../contract/upgrade-fleet.ts'
import { drawColumns, drawNote, drawSaid, drawVerdict } from '../../render/html/draw.ts'
import { clean, html, name, time } from '../../render/html/markup.ts'
import { type HtmlColumn, table } from '../../render/html/table.ts'
import { formatTimestamp } from '../../util/time.ts'
import { count } from '../../util/words.ts'
import { clusterColumns } from '../../views/cluster.ts'
import { type Fleet, fleetVerdict, newsTimeText, statusColumns } from '../../views/fleet.ts'
import { fleetGaps, fleetNotes, noFleetGaps } from '../../views/fleet-gaps.ts'
import type { Redaction } from '../../views/redaction.ts'
import { type ScannerRow, scannerRows } from '../../views/scanners.ts'
import { fleetStepColumns, plannedColumns, fleetVerdict as upgradeSaid } from '../../views/upgrade-fleet.ts'
import type { Part } from '../../views/view.ts'
import { sparkline } from '../chart.ts'
import { renderFleetTrends } from './fleet-trends.ts'
import { factsText, leftOutText } from './origin.ts'
import { missingParts, type ReportOrigin } from './report.ts'
import { renderReport, type Sections } from './sections.ts'
import { missingText } from './words.ts'

/** The data of a report about several clusters. */
export interface FleetReport extends ReportOrigin {
  /** All chosen clusters. */
  fleet: Fleet
  /** Label of the chosen clusters; null: all clusters. */
  label: string | null
  trends: Part<{ days: number; clusters: ReceivedClusterTrend[] }>
  upgrade: Part<FleetUpgrade>
  /** Absent: nothing is redacted. */
  redacted?: readonly Redaction[]
}

const sections: Sections<FleetReport> = [
  ['gaps', 'What is not known', renderGaps],
  ['clusters', 'Clusters', renderClusters],
  ['changes', 'What changed', renderChanges],
  ['upgrade', 'What to upgrade first', renderUpgrade],
  ['trends', 'Trends', renderTrends],
  ['origin', 'How this report was made', renderOrigin],
]

/** The clusters on one page; `stylesheet` names a separate stylesheet, if the page is not self-contained. */
export function renderFleetReport(report: FleetReport, stylesheet?: string) {
  const { fleet, label, madeAt } = report
  const title = label === null ? 'All clusters' : `Clusters with the label ${clean(label, 100)}`
  const head = html`<h1>${title} <small>${time(formatTimestamp(madeAt))}</small></h1>
${drawVerdict(fleetVerdict(fleet, madeAt))}`
  return renderReport(sections, report, { title: `${title}: fleet report`, head, stylesheet })
}

function renderGaps({ fleet, trends, upgrade, madeAt }: FleetReport) {
  const notes = fleetNotes(fleet, madeAt)
  const missing = missingParts({ Trends: trends, Upgrades: upgrade })
  const gaps = fleetGaps({ fleet, upgrade: upgrade.found, missing }, madeAt)
  if (notes.length === 0 && gaps.length === 0) return html`<p>${drawSaid(noFleetGaps(fleet))}</p>`
  return html`${notes.map((note) => drawNote(note))}${gaps.length > 0 && html`<ul>${gaps.map((said) => html`<li>${drawSaid(said)}</li>\n`)}</ul>`}`
}

type Row = ScannerRow<ReceivedCluster>

function toColumns(report: FleetReport, keys: readonly (keyof ReturnType<typeof clusterColumns>)[]): HtmlColumn<Row>[] {
  const columns = clusterColumns(report.madeAt)
  const value = ({ scores }: Row) => sparkline(scores ?? [])
  const drawn = drawColumns<Row>(keys.map((key) => columns[key]))
  return drawn.map((column, i) => (keys[i] === 'trend' ? { ...column, value } : column))
}

/** The name, and the worst reason with the number of others: all of them would fill a printed page. */
const shownOfStatus: readonly string[] = ['cluster', 'why']

function renderClusters(report: FleetReport) {
  const { items } = report.fleet
  const columns = [
    ...drawColumns<Row>(statusColumns(report.madeAt).filter(({ key }) => shownOfStatus.includes(key))),
    ...toColumns(report, [
      ...(items.some(({ scanners = [] }) => scanners.length > 1) ? (['scanner'] as const) : []),
      'score',
      'change',
      'trend',
      'scanned',
      'gate',
      'behind',
      'support',
    ]),
  ]
  if (items.length === 0) return missingText('No cluster has a report.')
  return table(columns, scannerRows(items), { caption: `${count(items.length, 'cluster')}, the most urgent first` })
}

/** Clusters whose latest run has new findings, or a changed score. */
function renderChanges(report: FleetReport) {
  const rows = scannerRows(report.fleet.items)
  const compared = rows.filter(({ changes }) => changes)
  const changed = compared.filter(
    ({ changes, latest_run }) =>
      Object.values(changes ?? {}).some((value) => typeof value === 'number' && value > 0) ||
      (latest_run?.score_delta ?? 0) !== 0,
  )
  if (compared.length === 0) return missingText('No cluster has figures yet.')
  const since = newsTimeText(report.fleet.summary?.news ?? {}, report.madeAt) ?? 'the run before'
  const none = rows.length - compared.length
  const columns = toColumns(report, ['cluster', 'environment', 'scanner', 'changes', 'change', 'score', 'scanned'])
  const caption = `${count(changed.length, 'cluster')} with changes since ${since}`
  return html`${
    changed.length === 0
      ? html`<p>Since ${since}, ${count(compared.length, 'latest run')}: nothing new, regressed or resolved, and no change of a score that can be compared.</p>`
      : table(columns, changed, { caption })
  }${none > 0 && html`<p class="note">${count(none, 'cluster')} without figures.</p>`}`
}

function renderUpgrade({ upgrade, redacted }: FleetReport) {
  if (!upgrade.found) return missingText(upgrade.missing)
  const { clusters, steps, catalog_date } = upgrade.found
  return html`<p>${drawSaid(upgradeSaid(upgrade.found))}. Facts of ${clean(catalog_date, 10)}.</p>
${clusters.length > 0 && table(drawColumns(plannedColumns), clusters, { caption: 'Clusters in the order of their upgrades' })}
${redacted && missingText('The reasons and steps name what runs, so that a redacted report leaves them out.')}
${steps.length > 0 && table(drawColumns(fleetStepColumns), steps, { caption: 'Steps over all clusters, each once, in order', most: 200 })}`
}

function renderTrends({ trends }: FleetReport) {
  if (!trends.found) return missingText(trends.missing)
  const { clusters, days } = trends.found
  if (clusters.length === 0) return missingText(`No cluster has a run in the last ${count(days, 'day')}.`)
  return renderFleetTrends(clusters, days)
}

function renderOrigin({ fleet, label, server, version, madeAt, redacted = [] }: FleetReport) {
  return html`<dl>
<dt>Clusters</dt><dd>${count(fleet.items.length, 'cluster')}${label !== null && html` with the label ${name(label)}`}</dd>
<dt>Facts of</dt><dd>${factsText(server, redacted)}</dd>
<dt>Made</dt><dd>${time(formatTimestamp(madeAt))} by relt ${version}</dd>
<dt>Left out</dt><dd>${leftOutText(redacted)}</dd>
</dl>`
}
