import type { Comparison } from '../../contract/cluster-report.ts'
import { drawNote, drawSaid, drawVerdict } from '../../render/html/draw.ts'
import { clean, html, time } from '../../render/html/markup.ts'
import { scannedAt } from '../../reports/run-subject.ts'
import { countsSaid, viewComparison } from '../../views/comparison.ts'
import { clusterPiece } from '../../views/scan.ts'
import { limitTables } from '../report/changes.ts'
import { changeTables } from './change-tables.ts'
import { chooseCluster } from './choose-cluster.ts'
import { inkFor } from './ink.ts'
import type { View, WebPage } from './view.ts'
import { figureCard, section } from './words.ts'

const mostOfKind = 100

export const comparePage: WebPage = {
  path: '/compare',
  heavy: true,
  filters: ['from_run_id', 'to_run_id', 'cluster_name', 'environment'],
  async show({ query, view, call }) {
    const choice = await chooseCluster({ query, view, call }, { path: '/compare', title: 'What changed' })
    if (choice) return choice
    const { from_run_id, to_run_id, cluster_name, environment } = query
    const found = await call('compareReports', { query: { from_run_id, to_run_id, cluster_name, environment } })
    const compared = viewComparison(found)
    const { verdict, figures, notes, isAcross } = compared
    const { from, to } = found
    const others = from_run_id || to_run_id ? [] : await otherScanners(call, to)
    const ink = inkFor(view)
    return {
      title: isAcross
        ? `${clean(from.cluster_name, 100)} and ${clean(to.cluster_name, 100)}`
        : `What changed in ${clean(to.cluster_name, 100)}`,
      body: html`<h1>${isAcross ? html`Differences between ${drawSaid(clusterPiece(from))} and ${drawSaid(clusterPiece(to))}` : html`What changed in ${drawSaid(clusterPiece(to))}`}</h1>
<p>From ${runText(view, from)} to ${runText(view, to)}, by ${to.format}.</p>
${others.length > 0 && html`<p>Other scanners of this cluster: ${others.map(({ run_id, format }) => html`${view.link('/compare', format, { to_run_id: run_id })} `)}</p>`}
${drawVerdict(verdict, ink)}
${notes.map((note) => drawNote(note, ink))}
<ul class="cards">
${(['score', 'new', 'regressed', 'resolved', 'incomparable'] as const).map((key) => figureCard(figures[key], ink))}
</ul>
${section(
  'changes',
  'Changes',
  html`<p>${drawSaid(countsSaid(compared))}.</p>
${changeTables(view, compared, found, mostOfKind)}
${limitTables(compared, ink)}`,
)}`,
    }
  },
}

/** The latest runs of the cluster's other scanners. */
async function otherScanners(
  call: Parameters<WebPage['show']>[0]['call'],
  { cluster_name, environment, run_id }: Comparison['to'],
) {
  const { items } = await call('listReports', { query: { cluster_name, environment, latest: true, per_page: 100 } })
  return items.filter((run) => run.run_id !== run_id)
}

function runText(view: View, run: Comparison['to']) {
  return view.link(`/runs/${run.run_id}`, html`${drawSaid(clusterPiece(run))}, ${time(scannedAt(run))}`)
}
