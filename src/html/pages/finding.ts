import type { StoredException } from '../../contract/exception.ts'
import type { FindingDetails, FindingOccurrence } from '../../contract/finding.ts'
import type { FixProposal } from '../../contract/fix-proposal.ts'
import { endedDays } from '../../contract/thresholds.ts'
import { matchesFinding } from '../../gate/stored-exception.ts'
import { drawColumns, drawSaid, drawVerdict, type Ink } from '../../render/html/draw.ts'
import { clean, html } from '../../render/html/markup.ts'
import { placeOfFinding } from '../../reports/place-of-finding.ts'
import { type FindingProject, projectsOfFinding } from '../../reports/projects-of-finding.ts'
import { allPages } from '../../util/all-pages.ts'
import { daySeconds, formatDay } from '../../util/time.ts'
import { listed } from '../../util/words.ts'
import { untilText, whereText } from '../../views/exception.ts'
import { findingDetails, findingVerdict, occurrenceColumns, ownersDetail } from '../../views/finding-details.ts'
import { proposalView } from '../../views/fix-proposal.ts'
import { safe, say } from '../../views/said.ts'
import { severityText } from '../../views/severity.ts'
import type { ViewColumn } from '../../views/view.ts'
import { actionForm, toField } from './form.ts'
import { inkFor } from './ink.ts'
import { showTable } from './page-table.ts'
import type { View, WebPage } from './view.ts'
import { runLink, section } from './words.ts'

/** Default duration of an exception in days. */
const usualDays = 30

export const findingPage: WebPage = {
  path: '/findings/{fingerprint}',
  heavy: true,
  filters: ['run_id', 'cluster_name', 'environment'],
  async show({ params, query, view, call }) {
    const { run_id, cluster_name, environment } = query
    const choice = { run_id, cluster_name, environment }
    const details = await call('getFinding', { params: { fingerprint: params.fingerprint! }, query: choice })
    const { finding, clusters } = details
    const stored = await allPages((page) =>
      call('listExceptions', { query: { page, per_page: 100, ended_days: endedDays } }),
    )
    const exceptions = stored.filter((each) => matchesFinding(each, finding))
    const running = view.canWrite && (await call('reportFreshness', { params: { run_id: details.run_id } }))
    const projects = running ? projectsOfFinding(finding, running.items) : []
    const ink = inkFor(view)
    const severity = say`Severity ${safe(severityText(finding.severity), finding.severity)}`
    return {
      title: clean(finding.message, 100) || clean(finding.check_name, 100),
      body: html`<h1>${clean(finding.message, 400) || clean(finding.check_name)}</h1>
${drawVerdict({ ...findingVerdict(details), more: [severity] })}
<dl>
${[...findingDetails(finding), ...ownersDetail(details)].map(({ title, lines }) => html`<dt>${title}</dt><dd>${lines.map((line, i) => html`${i > 0 && html`<br>`}${drawSaid(line, ink)}`)}</dd>`)}
<dt>Exceptions</dt><dd>${exceptions.length === 0 ? 'none' : exceptions.map((each) => html`${exceptionText(view, each)}<br>`)}</dd>
<dt>Run</dt><dd>${runLink(view, details.run_id, html`<code>${details.run_id}</code>`)}</dd>
<dt>Fingerprint</dt><dd><code class="command">${finding.fingerprint}</code></dd>
</dl>
${details.proposal && section('proposal', 'Proposed fix', proposalPart(details.proposal, ink))}
${section(
  'clusters',
  'Where it is',
  showTable(view, {
    id: 'clusters',
    caption: `Clusters that have or had it${details.clusters_total > clusters.length ? `; ${clusters.length} of ${details.clusters_total} are listed` : ''}`,
    columns: drawColumns(columns, ink),
    rows: clusters,
    json: details,
    empty: 'No cluster is known to have it.',
  }),
)}
${view.canWrite && section('exception', 'Add an exception', exceptionForm(view, details, projects))}`,
    }
  },
}

const { cluster, environment, state, first_seen, last_seen, latest_scan } = occurrenceColumns
const columns: ViewColumn<FindingOccurrence>[] = [
  { ...cluster, link: ({ cluster_name, environment }) => ({ page: 'findings', cluster_name, environment }) },
  environment,
  state,
  first_seen,
  last_seen,
  latest_scan,
]

function proposalPart(proposal: FixProposal, ink: Ink) {
  const { about, steps, notes } = proposalView(proposal)
  return html`<p>${drawSaid(about, ink)}</p>
<ol class="steps">
${steps.map(({ words, command }) => html`<li>${drawSaid(words, ink)}<br>${drawSaid(command, ink)}</li>\n`)}</ol>
<ul>
${notes.map((note) => html`<li>${drawSaid(note, ink)}</li>\n`)}</ul>`
}

function exceptionText(view: View, each: StoredException) {
  const { exception_id, state, ended_at, reason } = each
  const end =
    state === 'active'
      ? html`until <span class="word">${clean(untilText(each), 300)}</span>`
      : html`${ended_at ? 'ended' : 'expired'}, accepts nothing`
  return html`${view.link(`/exceptions/${exception_id}`, html`<code class="word">${exception_id}</code>`)} ${end}, in ${clean(whereText(each), 400)}: ${clean(reason, 1000)}`
}

/** A value of the form, which the action reads again. */
const toQuery = ({ cluster_name, environment }: Pick<FindingOccurrence, 'cluster_name' | 'environment'>) =>
  String(new URLSearchParams({ cluster_name, environment }))

function exceptionForm(view: View, { finding, clusters }: FindingDetails, projects: FindingProject[]) {
  const releases = projects.map(({ id, slug }) => [String(id), `the next release of ${slug}`] as const)
  const failed = clusters.filter(({ state, gate }) => state === 'open' && gate === 'failed')
  const places = clusters.map((each) => [toQuery(each), whereText(each)] as const)
  const lastDay = formatDay(view.now + usualDays * daySeconds)
  return html`<p>The gate ignores the finding until the day that you choose${releases.length > 0 && ', or until a release before that day'}. Everybody sees the reason. ${failed.length > 0 && html` The gate counted it and failed in ${clean(listed(failed.map(whereText)), 1000)}.`}</p>
${actionForm(view, {
  action: '/exceptions',
  button: 'Add exception',
  values: { fingerprint: finding.fingerprint },
  fields: html`${toField({ name: 'applies_in', label: 'Applies in', choices: [...places, ['all_clusters=true', 'all clusters']] }, toQuery(placeOfFinding(clusters)!))}${toField({ name: 'reason', label: 'Reason' }, '', html` required maxlength="1000"`)}${toField({ name: 'expires_on', label: 'Last day', type: 'date' }, lastDay, html` required`)}${releases.length > 0 && toField({ name: 'next_release_of', label: 'Ends earlier with', choices: [['', 'nothing'], ...releases] }, '')}`,
})}`
}
