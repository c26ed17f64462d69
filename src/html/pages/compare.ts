import type { Comparison } from '../../contract/cluster-report.ts'
import { scannedAt } from '../../views/scan.ts'
import { clean, count, html, type Markup, number, time } from '../markup.ts'
import { acrossNote, incomparableTable, riskPathChanges, scopeNote } from '../report/changes.ts'
import { changeTables, countsOf } from './change-tables.ts'
import type { View, WebPage } from './view.ts'
import { banner, card, change, clusterText, scoreFigure, section } from './words.ts'

const mostOfKind = 100

export const comparePage: WebPage = {
  path: '/compare',
  filters: ['from_run_id', 'to_run_id', 'cluster_name', 'environment'],
  async show({ query, view, call }) {
    const { from_run_id, to_run_id, cluster_name, environment } = query
    const found = await call('compareReports', { query: { from_run_id, to_run_id, cluster_name, environment } })
    const { from, to } = found
    const others = from_run_id || to_run_id ? [] : await otherScanners(call, to)
    return {
      title: isAcross(found)
        ? `${clean(from.cluster_name, 100)} and ${clean(to.cluster_name, 100)}`
        : `What changed in ${clean(to.cluster_name, 100)}`,
      body: html`<h1>${isAcross(found) ? `Differences between ${clean(clusterText(from))} and ${clean(clusterText(to))}` : `What changed in ${clean(clusterText(to))}`}</h1>
<p>From ${runText(view, from)} to ${runText(view, to)}, by ${to.format}.</p>
${others.length > 0 && html`<p>Other scanners of this cluster: ${others.map(({ run_id, format }) => html`${view.link('/compare', format, { to_run_id: run_id })} `)}</p>`}
${verdictOf(found)}
${acrossNote(found)}${scopeNote(found)}
<ul class="cards">
${card('Score', scoreFigure(to), html`${change(found.score_delta, found.score_comparable)} from ${scoreFigure(from)}`)}
${card('New', number(found.new_findings_count), '', found.new_findings_count > 0 ? 'bad' : '')}
${card('Regressed', number(found.regressed_findings_count), '', found.regressed_findings_count > 0 ? 'bad' : '')}
${card('Resolved', number(found.resolved_findings_count))}
${card('Not comparable', number(found.incomparable_findings_count), '', found.incomparable_findings_count > 0 ? 'warn' : '')}
</ul>
${section(
  'changes',
  'Changes',
  html`<p>${countsOf(found)}.</p>
${changeTables(view, found, mostOfKind)}
${incomparableTable(found.incomparable_findings ?? [], found.incomparable_findings_count)}
${riskPathChanges(found)}`,
)}`,
    }
  },
}

/** Their latest runs. */
async function otherScanners(
  call: Parameters<WebPage['show']>[0]['call'],
  { cluster_name, environment, run_id }: Comparison['to'],
): Promise<Comparison['to'][]> {
  const { items } = await call('listReports', { query: { cluster_name, environment, latest: true, per_page: 100 } })
  return items.filter((run) => run.run_id !== run_id)
}

function runText(view: View, run: Comparison['to']): Markup {
  return view.link(`/runs/${run.run_id}`, html`${clean(clusterText(run))}, ${time(scannedAt(run))}`)
}

const isAcross = ({ from, to }: Comparison): boolean =>
  from.cluster_name !== to.cluster_name || from.environment !== to.environment

/** Green only where the later run looked at everything that it names. */
function verdictOf(found: Comparison): Markup {
  const { from, to, risk_paths } = found
  const worse = found.new_findings_count + found.regressed_findings_count
  const opened = risk_paths?.opened.length ?? 0
  const hidden = found.incomparable_findings_count
  const gaps = [
    hidden > 0 && `${count(hidden, 'finding')} cannot be compared.`,
    risk_paths?.incomparable.length && `${count(risk_paths.incomparable.length, 'risk path')} cannot be compared.`,
    to.is_empty && 'The later scan looked at nothing.',
    ...[from, to].map(
      ({ not_run_checks }, i) =>
        not_run_checks !== 0 &&
        `${not_run_checks === undefined ? 'An unknown number of checks' : count(not_run_checks, 'check')} did not run in the ${i === 0 ? 'earlier' : 'later'} scan.`,
    ),
  ].filter(Boolean)
  const more = [`${number(found.resolved_findings_count)} resolved.`, ...gaps].join(' ')
  if (isAcross(found)) {
    const [here, there] = [clean(clusterText(to)), clean(clusterText(from))]
    const both = `${count(worse, 'finding')} only in ${here}, ${number(found.resolved_findings_count)} only in ${there}`
    return banner('undecided', both, gaps.join(' '))
  }
  if (worse > 0) return banner('failed', `${number(worse)} new or regressed`, more)
  if (opened > 0) return banner('failed', `${count(opened, 'risk path')} opened`, more)
  if (gaps.length > 0) return banner('undecided', 'No new or regressed finding is known', more)
  return banner('passed', 'No new or regressed finding', more)
}
