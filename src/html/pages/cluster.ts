import type { FleetCluster } from '../../contract/cluster.ts'
import type { Run } from '../../contract/cluster-report.ts'
import { drawVerdict } from '../../render/html/draw.ts'
import { clean, html, time } from '../../render/html/markup.ts'
import { scannedAt } from '../../reports/run-subject.ts'
import { formatEvery } from '../../util/every.ts'
import { expectedText, inventoryFigures, scannerFigures } from '../../views/cluster.ts'
import { clusterVerdict } from '../../views/fleet.ts'
import { judgedLatest, judgedRun } from '../../views/gate.ts'
import { type ScannerRow, scannerRows } from '../../views/scanners.ts'
import { titles } from '../../views/titles.ts'
import { actionForm, toField } from './form.ts'
import { countColumn, listPage, showTable } from './page-table.ts'
import { plots } from './trend-plots.ts'
import type { PageColumn, View, WebPage } from './view.ts'
import { clusterTitle, figureCard, gateWord, scoreFigure, section, timeOrNever } from './words.ts'

const trendDays = 90

export const clusterPage: WebPage = {
  path: '/clusters/{cluster_id}',
  heavy: true,
  async show({ params, view, call }) {
    const cluster = await call('getCluster', { params: { cluster_id: params.cluster_id! } })
    const { cluster_name, environment } = cluster
    const [{ found: runs, listed }, trends] = await Promise.all([
      listPage(view, (paging) => call('listReports', { query: { cluster_name, environment, ...paging } })),
      call('reportTrends', { query: { cluster_name, environment, window_days: trendDays } }),
    ])
    const points = 'clusters' in trends ? trends.clusters : [trends, ...(trends.other_scanners ?? [])]
    return {
      title: `${clean(cluster_name, 100)} (${clean(environment, 50)})`,
      body: html`<h1>${clusterTitle(cluster)}</h1>
<p class="soft">${factsFor(cluster)}</p>
${verdictFor(cluster, view.now)}
${scannerRows([cluster]).map((row) => scannerPart(view, row))}
<ul class="cards">
${inventoryFigures(cluster).map((figure) => figureCard(figure))}
</ul>
${cluster.latest_run && linksFor(view, cluster, cluster.latest_run)}
${section('trends', `Last ${trendDays} days`, html`${points.map((each) => html`${points.length > 1 && html`<h3>${each.format}</h3>`}${plots(each.points)}`)}`)}
${section(
  'runs',
  'Runs',
  html`${compareForm(view, runs.items)}
${showTable(view, {
  id: 'runs',
  caption: 'Runs, the newest first',
  columns: runColumns(view),
  ...listed,
  empty: 'No run is stored.',
})}`,
)}
${view.canWrite && section('settings', 'Settings', html`${labelForm(view, cluster)}${intervalForm(view, cluster)}`)}`,
    }
  },
}

function linksFor(view: View, { cluster_name, environment, freshness }: FleetCluster, latest: { run_id: string }) {
  return html`<ul class="links"><li>${view.link('/findings', 'Findings', { cluster_name, environment })}</li>
<li>${view.link(`/runs/${freshness?.run_id ?? latest.run_id}/freshness`, 'What runs, and how far behind it is')}</li>
<li>${view.link('/trends', 'Trends', { cluster_name, environment })}</li></ul>`
}

/** The latest run of one scanner. */
function scannerPart(view: View, row: ScannerRow<FleetCluster>) {
  const { latest_run: latest, scanner, gate } = row
  return html`${
    scanner &&
    html`<h2>${scanner}</h2>
<p class="soft">Last scan ${timeOrNever(row.last_scan)}. Gate: ${gateWord(gate, judgedLatest(row, view.now), view.now)}</p>`
  }
<ul class="cards">
${scannerFigures(row, view.now).map((figure) => figureCard(figure))}
</ul>
${
  latest &&
  html`<ul class="links"><li>${view.link(`/runs/${latest.run_id}`, 'Latest run')}</li>
${row.scores.length > 1 && html`<li>${view.link('/compare', 'What changed since the run before', { to_run_id: latest.run_id })}</li>`}</ul>`
}`
}

function factsFor(cluster: FleetCluster) {
  const { kubernetes_version, provider, region, labels, last_scan } = cluster
  const expected = expectedText(cluster)
  const facts = [kubernetes_version && `Kubernetes ${kubernetes_version}`, provider, region].filter(Boolean).join(', ')
  return html`${facts && html`${clean(facts)}. `}${labels.length > 0 && html`Labels: ${clean(labels.join(', '))}. `}Last scan ${timeOrNever(last_scan)}. ${expected ? `A report is expected ${expected}.` : 'No interval of reports is set, so silence goes unnoticed.'}`
}

function verdictFor(cluster: FleetCluster, now: number) {
  const gate =
    cluster.gate &&
    html`<p>Gate: ${gateWord(cluster.gate, judgedLatest(cluster, now), now)} ${time(cluster.gate.at)}.</p>`
  return html`${drawVerdict(clusterVerdict(cluster, now))}${gate}`
}

function runColumns(view: View): PageColumn<Run>[] {
  return [
    {
      title: titles.scanned,
      value: (run) => view.link(`/runs/${run.run_id}`, time(scannedAt(run))),
      text: (run) => scannedAt(run),
    },
    { title: titles.run, value: ({ run_id }) => html`<code>${run_id}</code>`, text: ({ run_id }) => run_id },
    { title: titles.scanner, value: ({ format }) => format },
    { title: titles.score, value: scoreFigure, text: ({ score }) => score, align: 'right' },
    countColumn(titles.findings, ({ findings }) => findings.total),
    countColumn(titles.critical, ({ findings }) => findings.critical),
    countColumn(titles.not_run, (run) => run.not_run_checks),
    {
      title: titles.gate,
      value: (run) => gateWord(run.gate, judgedRun(run, view.now), view.now),
      text: ({ gate }) => gate?.verdict,
    },
    {
      title: titles.changes,
      value: ({ run_id }) => view.link('/compare', 'Compare', { to_run_id: run_id }),
      text: () => '',
    },
  ]
}

/** A form to compare any two of the listed runs. */
function compareForm(view: View, runs: Run[]) {
  if (runs.length < 2) return false
  const choices = runs.map(
    (run) => [run.run_id, `${scannedAt(run)?.slice(0, 16)} UTC, ${run.format}, score ${run.score ?? 'n/a'}`] as const,
  )
  return html`<form class="tools long" method="get" action="/compare">
${toField({ name: 'from_run_id', label: 'From', choices }, runs[1]!.run_id)}${toField({ name: 'to_run_id', label: 'To', choices }, runs[0]!.run_id)}${view.query.team && html`<input type="hidden" name="team" value="${view.query.team}">`}<button type="submit">Compare</button>
</form>`
}

/** Form for the interval after which a cluster without a report is silent. */
function intervalForm(view: View, { cluster_id, expected_every }: FleetCluster) {
  return actionForm(view, {
    action: `/clusters/${cluster_id}/interval`,
    button: 'Save interval',
    fields: toField(
      { name: 'every', label: 'A report is expected every', hint: '24h, 7d; empty: no interval' },
      expected_every == null ? '' : formatEvery(expected_every),
    ),
  })
}

function labelForm(view: View, { cluster_id, labels }: FleetCluster) {
  return actionForm(view, {
    action: `/clusters/${cluster_id}/labels`,
    button: 'Save labels',
    fields: toField({ name: 'labels', label: 'Labels, with commas' }, labels.join(', ')),
  })
}
