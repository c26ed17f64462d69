import { findingGroupings, findingOrders, findingSeverities, findingStates } from '../../contract/choices.ts'
import type { FindingCoverage, FindingGroup, Findings } from '../../contract/finding.ts'
import { drawColumns, drawNote } from '../../render/html/draw.ts'
import { clean, html, type Markup } from '../../render/html/markup.ts'
import { capital, count } from '../../util/words.ts'
import { groupColumns } from '../../views/check.ts'
import { coverageNotes, isPartial } from '../../views/coverage.ts'
import { findingTables } from '../../views/finding-tables.ts'
import { titles } from '../../views/titles.ts'
import { toldApart } from '../../views/told-apart.ts'
import { filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { rowsOfPage, showTable, toPage } from './page-table.ts'
import { given, type PageColumn, type View, type WebPage } from './view.ts'

const filters = [
  'run_id',
  'cluster_name',
  'environment',
  'severity',
  'namespace',
  'check',
  'resource',
  'search',
  'state',
  'owner',
  'group_by',
  'sort',
] as const

type Grouping = (typeof findingGroupings)[number]

export const findingsPage: WebPage = {
  path: '/findings',
  heavy: true,
  nav: 'Findings',
  for: 'pro',
  filters,
  async show({ query, view, call }) {
    const asked = given(query, filters)
    const list = (page: number, per_page: number) => call('listFindings', { query: { ...asked, page, per_page } })
    const found = await list(toPage(view), rowsOfPage)
    const { looked_at, group_by } = found
    return {
      title: titles.findings,
      body: html`<h1>Findings</h1>
<p>${count(found.findings, 'finding')}${found.rows !== found.findings && html` in ${count(found.rows, 'row')}`} of ${query.run_id ? view.link(`/runs/${query.run_id}`, 'one run') : html`the latest runs of ${count(looked_at.clusters, 'cluster')}`}.</p>
${coverageNotes(looked_at, { state: query.state?.split(','), news: found, now: view.now }).map((note) => drawNote(note, inkFor(view)))}
${searchForm(view)}
${group_by ? groupsTable(view, found, group_by, list) : findingsTable(view, found, list)}`,
    }
  },
}

type List = (page: number, perPage: number) => Promise<Findings>

function findingsTable(view: View, found: Findings, list: List) {
  return showTable(view, {
    id: 'findings',
    caption: `Findings, by ${(view.query.sort || 'severity').replaceAll('-', ' ')}`,
    columns: drawColumns(toColumns(found), inkFor(view)),
    rows: toldApart(found.items),
    json: found,
    empty: emptyText(found.looked_at),
    paging: { ...found, list: async (...of) => toldApart((await list(...of)).items) },
  })
}

function groupsTable(view: View, found: Findings, grouping: Grouping, list: List) {
  return showTable(view, {
    id: 'groups',
    caption: `Findings by ${grouping}`,
    columns: toGroupColumns(view, grouping),
    rows: found.groups,
    json: found,
    empty: emptyText(found.looked_at),
    paging: { ...found, list: async (...of) => (await list(...of)).groups },
  })
}

function searchForm(view: View) {
  const rare = (field: string, label: string) => ({ name: field, label, type: 'search' as const, isRare: true })
  return filterForm(view, [
    { name: 'search', label: 'Text', type: 'search' },
    {
      name: 'severity',
      label: 'Severity',
      choices: [['', 'every severity'], ['critical,high', 'critical and high'], ...findingSeverities],
    },
    { name: 'state', label: 'State', choices: stateChoices },
    { name: 'cluster_name', label: 'Cluster', type: 'search' },
    rare('environment', 'Environment'),
    rare('namespace', 'Namespace'),
    rare('check', 'Check'),
    rare('resource', 'Resource'),
    rare('owner', 'Owner'),
    ...(view.query.run_id ? [rare('run_id', 'Run')] : []),
    { name: 'group_by', label: 'Group by', isRare: true, choices: [['', 'nothing'], ...findingGroupings] },
    { name: 'sort', label: 'Sort by', isRare: true, choices: orderChoices },
  ])
}

const stateChoices = [
  ['', 'open'] as const,
  ['new,regressed', 'new and regressed'] as const,
  ...findingStates
    .filter((each) => each !== 'open')
    .map((each) => [each, each === 'not-run' ? 'checks that did not run' : each] as const),
]

const orderChoices = [
  ['', 'severity'] as const,
  ...findingOrders.filter((each) => each !== 'severity').map((each) => [each, each.replaceAll('-', ' ')] as const),
]

/** The column of owners is shown only if there are any. */
const toColumns = ({ items }: Findings) =>
  findingTables.page.filter(({ key }) => key !== 'owner' || items.some(({ owners = [] }) => owners.length > 0))

/** An empty result is no all-clear if something was not covered. */
function emptyText(looked: FindingCoverage): string | Markup {
  if (looked.runs === 0)
    return html`No run was looked at. Upload a report: <code class="command">relt reports upload report.json</code>`
  return isPartial(looked) ? 'No finding matches, among those that are known.' : 'No finding matches.'
}

/** The filter for a group. None for a cluster, because its key includes the environment. */
const filterOfGroup: Partial<Record<Grouping, string>> = {
  check: 'check',
  namespace: 'namespace',
  resource: 'resource',
  severity: 'severity',
  owner: 'owner',
}

function toGroupColumns(view: View, grouping: Grouping): PageColumn<FindingGroup>[] {
  const filter = filterOfGroup[grouping]
  return [
    {
      title: capital(grouping),
      value: ({ key, name }) => {
        const words = clean([key, name].filter(Boolean).join(' '), 300) || 'none'
        return filter && key !== null
          ? html`<a href="${view.here({ group_by: undefined, sort: undefined, [filter]: key })}">${words}</a>`
          : words
      },
      text: ({ key }) => key,
    },
    ...drawColumns(Object.values(groupColumns), inkFor(view)),
  ]
}
