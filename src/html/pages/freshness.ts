import { freshnessStatuses } from '../../contract/choices.ts'
import type { Freshness, FreshnessItem } from '../../contract/freshness.ts'
import { factsDay } from '../../lifecycle/step-text.ts'
import { drawColumns, drawNote, drawSaid, drawVerdict } from '../../render/html/draw.ts'
import { breakable, clean, html, name } from '../../render/html/markup.ts'
import { listed, withoutStop } from '../../util/words.ts'
import { advisoryColumns } from '../../views/advisory.ts'
import { statusViews } from '../../views/artifact.ts'
import {
  artifactNotes,
  artifactVerdict,
  freshnessFigures,
  freshnessVerdict,
  nothingRuns,
} from '../../views/freshness.ts'
import { behindText, freshnessColumns } from '../../views/freshness-columns.ts'
import { type InventoryTable, inventoryTables } from '../../views/inventory.ts'
import { say } from '../../views/said.ts'
import { stateTitles } from '../../views/state.ts'
import { stepCell, stepNote } from '../../views/step-cell.ts'
import { supportSaid } from '../../views/support.ts'
import { titles } from '../../views/titles.ts'
import { chosen } from '../../views/view.ts'
import { filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { projectColumn, rowsOfPage, showTable, toPage } from './page-table.ts'
import { given, type View, type WebPage } from './view.ts'
import { figureCard, section } from './words.ts'

export const freshnessPage: WebPage = {
  path: '/runs/{run_id}/freshness',
  heavy: true,
  filters: ['status', 'search', 'artifact'],
  async show({ params, query, view, call }) {
    const run_id = params.run_id!
    const { artifact } = query
    if (artifact !== undefined) {
      const { items } = await call('reportFreshness', {
        params: { run_id },
        query: { explain: true, artifact },
      })
      return explained(view, run_id, items)
    }
    const asked = { sort: 'urgency', ...given(query, ['status', 'search']) }
    const list = (page: number, per_page: number) =>
      call('reportFreshness', { params: { run_id }, query: { ...asked, page, per_page } as never })
    const found = await list(toPage(view), rowsOfPage)
    const { cluster_name, environment } = await call('getReport', { params: { run_id } })
    const figures = freshnessFigures(found)
    const { nodes, wanted } = inventoryTables(found, view.now)
    return {
      title: 'What runs, and how far behind it is',
      body: html`<h1>What runs in ${name(cluster_name)} (${name(environment)}), and how far behind it is</h1>
<p>${view.link(`/runs/${run_id}`, html`Run <code>${run_id}</code>`)}. The oldest facts are of ${clean(found.catalog_date, 10)}.</p>
${drawVerdict(freshnessVerdict(found, view.now))}
<ul class="cards">
${[figures.major, figures.minor, figures.newest, figures.unknown, figures.current].map((figure) => figure && figureCard(figure, inkFor(view)))}
</ul>
${searchForm(view)}
${artifactsTable(view, found, { run_id, list })}
${inventoryPart(view, nodes)}${inventoryPart(view, wanted)}`,
    }
  },
}

function searchForm(view: View) {
  return filterForm(view, [
    { name: 'search', label: 'Name', type: 'search' },
    {
      name: 'status',
      label: 'Status',
      choices: [
        ['', 'every status'],
        ...freshnessStatuses.map((each) => [each, statusViews[each].title.toLowerCase()] as const),
        ['affected', 'affected by an advisory'],
        ['out_of_support', 'out of support'],
      ],
    },
  ])
}

function artifactsTable(
  view: View,
  found: Freshness,
  { run_id, list }: { run_id: string; list: (page: number, perPage: number) => Promise<Freshness> },
) {
  const { items, summary, coverage, total = items.length, total_pages = 1 } = found
  const columns = freshnessColumns({ now: view.now, hasSecurityFacts: (coverage?.security_known ?? 0) > 0 })
  const { artifact, runs, status, step, newest, fixes, advisories, behind, reason } = columns
  const shown = [artifact, runs, status, step, newest, fixes, advisories, behind, reason]
  return showTable(view, {
    id: 'artifacts',
    caption: 'Artifacts, the most urgent first',
    columns: drawColumns(shown, inkFor(view, { run_id })),
    rows: items,
    json: found,
    paging: {
      page: toPage(view),
      per_page: rowsOfPage,
      total,
      total_pages,
      list: async (...of) => (await list(...of)).items,
    },
    empty: summary.artifacts === 0 ? nothingRuns : 'No artifact matches.',
  })
}

function inventoryPart<Row>(view: View, table: InventoryTable<Row>) {
  const { key: id, heading, title: caption, notes, columns, rows } = table
  if (rows.length === 0 && !notes?.length) return false
  const drawn = drawColumns(columns, inkFor(view))
  return html`<h2>${heading}</h2>
${notes && html`${notes.map((note) => drawNote(note))}\n`}${rows.length > 0 && showTable(view, { id, caption, columns: drawn, rows, json: rows, empty: '' })}`
}

const shownAdvisories = chosen(advisoryColumns, 'advisory', 'severity', 'score', 'published', 'fixed_in')

/** Facts other than its version, with the sources. */
function factsFor({ facts = [], notes = [] }: FreshnessItem) {
  const all = [
    ...facts.map((fact) => ({ ...fact, title: stateTitles[fact.state] })),
    ...notes.map((note) => ({ ...note, title: titles.note })),
  ]
  return (
    all.length > 0 &&
    html`${all.map(({ title, what, since, source }) => html`<dt>${title}</dt><dd>${clean(what, 1000)}${since !== null && ` Since ${clean(since, 10)}.`}${source !== null && html` <span class="soft">${breakable(clean(source, 500))}</span>`}</dd>`)}`
  )
}

/** Why one artifact has its status: candidates, advisories, and where it runs. */
function explained(view: View, run_id: string, items: FreshnessItem[]) {
  const [item] = items
  if (!item) {
    return {
      title: 'No such artifact',
      body: html`<h1>No such artifact</h1><p>The run does not have it. ${view.link(`/runs/${run_id}/freshness`, 'What runs')}</p>`,
    }
  }
  const note = stepNote(item)
  return {
    title: clean(item.display_name, 150),
    body: html`<h1>${clean(item.display_name, 300)}</h1>
<p>${view.link(`/runs/${run_id}/freshness`, 'Everything that runs')}</p>
${drawVerdict({ ...artifactVerdict(item), more: [item.reason, item.recommendation].flatMap((text) => (text ? [say`${withoutStop(text)}`] : [])) })}
<dl>
<dt>Runs</dt><dd>${clean(item.current_version, 100) || 'The tag states no version.'}</dd>
<dt>${titles.step}</dt><dd>${clean(stepCell(item), 300)}${note && clean(`: ${note}`, 600)}</dd>
${factsFor(item)}
<dt>Newest</dt><dd>${clean(item.latest_version, 100) || 'unknown'}</dd>
<dt>Behind</dt><dd>${item.status === 'unknown' ? 'unknown' : behindText(item, view.now) || '-'}</dd>
<dt>Support</dt><dd>${item.eol ? html`${clean(item.eol.cycle, 50)}: ${drawSaid(supportSaid(item.eol, view.now))}` : clean(`unknown${item.eol_unknown ? `: ${item.eol_unknown}` : ''}`, 300)}</dd>
<dt>${titles.facts_of}</dt><dd>${clean(factsDay(item), 10) || '-'}</dd>
<dt>Where</dt><dd>${item.workloads.length > 0 ? clean(listed(item.workloads, 50), 3000) : clean(item.namespace) || 'not known'}</dd>
${item.source_product_id !== null && html`<dt>Project</dt><dd>${view.link(`/projects/${item.source_product_id}`, 'Its releases')}</dd>`}
</dl>
${section('advisories', 'Advisories', advisoriesTable(view, item))}
${section('candidates', item.source_product_id === null ? 'Why no project' : 'Why this project', candidatesTable(view, item))}`,
  }
}

function advisoriesTable(view: View, item: FreshnessItem) {
  return html`${artifactNotes(item).map((note) => drawNote(note))}${showTable(view, {
    id: 'advisories',
    caption: 'Advisories that affect it, the worst first',
    columns: drawColumns(shownAdvisories, inkFor(view)),
    rows: item.advisories,
    json: item.advisories,
    empty:
      item.advisories_count === null
        ? 'Not known: the catalog has no advisories of the project, or the version cannot be compared.'
        : 'No known advisory affects it.',
  })}`
}

function candidatesTable(view: View, { candidates = [] }: FreshnessItem) {
  return showTable(view, {
    id: 'candidates',
    caption: 'Projects that it could be, and why each was taken or not',
    columns: [
      projectColumn(view),
      { title: 'Matched by', value: ({ matched_by }) => matched_by },
      { title: 'Taken', value: ({ taken }) => (taken ? 'yes' : 'no') },
      { title: titles.reason, value: ({ reason }) => clean(reason, 400) },
    ],
    rows: candidates,
    json: candidates,
    empty: 'No project of the catalog could be it.',
  })
}
