import type { Comparison } from '../../contract/cluster-report.ts'
import type { FindingsOfRun } from '../../contract/finding.ts'
import { drawColumns, drawSaid } from '../../render/html/draw.ts'
import { clean, html, time } from '../../render/html/markup.ts'
import { version } from '../../version.ts'
import { byPoints, checkColumns } from '../../views/check.ts'
import { countsSaid, viewComparison } from '../../views/comparison.ts'
import { Redactor } from '../../views/redaction.ts'
import { chosen } from '../../views/view.ts'
import { renderGaps } from '../report/gaps.ts'
import type { RunReport } from '../report/report.ts'
import { renderGate, renderVerdict } from '../report/verdict.ts'
import { changeTables } from './change-tables.ts'
import { inkFor } from './ink.ts'
import { showTable } from './page-table.ts'
import type { View, WebPage } from './view.ts'
import { section, toPart, unknown } from './words.ts'

const mostChecks = 25
const mostChanges = 10

export const runPage: WebPage = {
  path: '/runs/{run_id}',
  heavy: true,
  async show({ params, view, call }) {
    const run_id = params.run_id!
    const run = await call('getReport', { params: { run_id } })
    const { cluster_name, environment } = run
    const [comparison, findings, freshness, clusters] = await Promise.all([
      toPart(
        () => call('compareReports', { query: { to_run_id: run_id } }),
        'The cluster has no earlier run of this scanner.',
      ),
      toPart(() => call('listRunFindings', { params: { run_id }, query: { limit: 1 } })),
      toPart(() => call('reportFreshness', { params: { run_id } })),
      call('listClusters', { query: { cluster_name, environment, per_page: 1 } }),
    ])
    const report: RunReport = {
      run,
      isQueued: false,
      madeAt: view.now,
      version,
      server: null,
      csv: null,
      redactor: new Redactor([]),
      gate: run.gate ? { found: run.gate } : { missing: 'No gate has judged this run.' },
      comparison,
      freshness,
      findings,
      // Trends have a page of their own.
      trends: { found: { days: 0, points: [] } },
    }
    const cluster = clusters.items[0]
    return {
      title: `Run of ${clean(cluster_name, 100)} (${clean(environment, 50)})`,
      body: html`${renderVerdict(report)}
<ul class="links">${cluster && html`<li>${view.link(`/clusters/${cluster.cluster_id}`, 'The cluster and its runs')}</li>`}
<li>${view.link('/findings', 'All findings of this run', { run_id })}</li>
${comparison.found && html`<li>${view.link('/compare', 'Everything that changed', { to_run_id: run_id })}</li>`}
<li>${view.link(`/runs/${run_id}/freshness`, 'What runs, and how far behind it is')}</li>
<li>${view.link('/trends', 'Trends', { cluster_name, environment })}</li></ul>
${section('changes', 'What changed', comparison.found ? toChanges(view, comparison.found) : html`<p>${unknown(clean(comparison.missing, 600))}</p>`)}
${section('gaps', 'What is not known', renderGaps(report))}
${section('gate', 'Gate', renderGate(report))}
${section('checks', 'Findings by check', findings.found ? toChecks(view, findings.found) : html`<p>${unknown(clean(findings.missing, 600))}</p>`)}`,
    }
  },
}

function toChanges(view: View, found: Comparison) {
  const { from, to } = found
  const compared = viewComparison(found)
  return html`<p>Compared with ${view.link(`/runs/${from.run_id}`, html`the scan of ${time(from.finished_at ?? from.started_at ?? from.ingested_at)}`)}: ${drawSaid(countsSaid(compared))}.</p>
${changeTables(view, compared, found, mostChanges)}
<p>${view.link('/compare', 'Everything that changed', { from_run_id: from.run_id, to_run_id: to.run_id })}</p>`
}

const shownChecks = chosen(checkColumns, 'points', 'check', 'severity', 'rows', 'fix')

function toChecks(view: View, found: FindingsOfRun) {
  const { run_id } = found
  return showTable(view, {
    id: 'checks',
    caption: 'Checks with findings, first those by which the score would rise most',
    columns: drawColumns(shownChecks, inkFor(view, { run_id })),
    rows: found.checks.toSorted(byPoints),
    json: found,
    empty: 'The checks that ran found nothing.',
    most: mostChecks,
  })
}
