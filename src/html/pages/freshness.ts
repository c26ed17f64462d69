import { freshnessStatuses } from '../../contract/choices.ts'
import type { Coverage, FreshnessItem } from '../../contract/freshness.ts'
import { advisoryEdge } from '../../freshness/advisory-edge.ts'
import { breakable, clean, html, type Markup } from '../../render/html/markup.ts'
import { staleText } from '../../reports/stale-catalog.ts'
import { count, number } from '../../util/words.ts'
import { shownState, urgencyOf } from '../../views/artifact.ts'
import { hasBadState, hasState, stateTitles } from '../../views/state.ts'
import { stepCell, stepNote } from '../../views/step-cell.ts'
import {
  artifactText,
  behindText,
  hasOnlyKubernetes,
  kubernetesAlone,
  securityText,
  statusMarkup,
} from '../report/freshness.ts'
import { filterForm } from './form.ts'
import { pageRows, showTable } from './page-table.ts'
import type { PageColumn, View, WebPage } from './view.ts'
import { advisorySeverity, banner, card, exploitedMark, section } from './words.ts'

export const freshnessPage: WebPage = {
  path: '/runs/{run_id}/freshness',
  filters: ['status', 'search', 'artifact'],
  async show({ params, query, view, call }) {
    const run_id = params.run_id!
    const { artifact } = query
    const found = await call('reportFreshness', { params: { run_id }, query: { explain: artifact !== undefined } })
    if (artifact !== undefined)
      return explained(
        view,
        run_id,
        found.items.filter(({ artifact_key }) => artifact_key === artifact),
      )
    const wanted = (query.search ?? '').toLowerCase()
    const rows = found.items.filter(
      (item) =>
        (!query.status ||
          (query.status === 'affected'
            ? isAffected(item)
            : query.status === 'out_of_support'
              ? item.eol?.is_eol
              : item.status === query.status)) &&
        item.display_name.toLowerCase().includes(wanted),
    )
    rows.sort((a, b) => urgencyOf(b) - urgencyOf(a))
    return {
      title: 'What runs, and how far behind it is',
      body: html`<h1>What runs, and how far behind it is</h1>
<p>${view.link(`/runs/${run_id}`, html`Run <code>${run_id}</code>`)}. Measured against the catalog of ${clean(found.catalog_date, 10)}.</p>
${verdictOf(found.items, found.coverage, staleText(found.coverage?.catalog_at ?? found.catalog_date, view.now))}
<ul class="cards">
${card('Major version behind', number(found.summary.major_behind), '', found.summary.major_behind > 0 ? 'bad' : '')}
${card('Minor version behind', number(found.summary.minor_behind), '', found.summary.minor_behind > 0 ? 'warn' : '')}
${card('Unknown', number(found.summary.unknown), found.summary.unknown > 0 ? 'They may be outdated.' : '', found.summary.unknown > 0 ? 'warn' : '')}
${card('Current', number(found.summary.up_to_date))}
</ul>
${filterForm(view, [
  { name: 'search', label: 'Name', type: 'search' },
  {
    name: 'status',
    label: 'Status',
    choices: [
      ['', 'every status'],
      ...freshnessStatuses.map((each) => [each, each.replaceAll('_', ' ')] as const),
      ['affected', 'affected by an advisory'],
      ['out_of_support', 'out of support'],
    ],
  },
])}
${showTable(view, {
  id: 'artifacts',
  caption: 'Artifacts, the most urgent first',
  columns: columnsOf(view, run_id, (found.coverage?.security_known ?? 0) > 0),
  ...pageRows(view, rows),
  json: { ...found, items: rows },
  empty:
    found.items.length === 0
      ? 'The report does not say what runs. Add an inventory to the next upload.'
      : 'No artifact matches.',
})}`,
    }
  },
}

const isAffected = ({ advisories_count }: FreshnessItem): boolean => (advisories_count ?? 0) > 0

function verdictOf(items: FreshnessItem[], coverage: Coverage | undefined, stale: string): Markup {
  const affected = items.filter(isAffected).length
  const ended = items.filter(({ eol }) => eol?.is_eol).length
  const planted = items.filter((item) => hasState(item, 'compromised')).length
  const exploited = items.filter(({ advisories_exploited }) => (advisories_exploited ?? 0) > 0).length
  const bad = items.filter((item) => hasBadState(item) && !item.eol?.is_eol).length
  const behind = items.filter(({ status }) => status.endsWith('_behind')).length
  const open = items.filter(({ status, vendor_component }) => status === 'unknown' && !vendor_component).length
  const first = planted > 0 ? `${number(planted)} compromised, ` : ''
  const used = exploited > 0 ? ` (${number(exploited)} by exploited ones)` : ''
  const words = `${first}${number(affected)} affected by advisories${used}, ${number(ended)} out of support, ${number(behind)} behind, ${number(open)} unknown`
  const isAlone = hasOnlyKubernetes(items)
  const isWhole =
    !isAlone && coverage?.advisories_known !== undefined && coverage.advisories_known === coverage.artifacts
  const kind =
    affected + ended + bad > 0
      ? 'failed'
      : behind + open > 0 || !isWhole || items.length === 0 || stale !== ''
        ? 'undecided'
        : 'passed'
  return banner(
    kind,
    items.length === 0 ? 'Nothing is known of what runs' : words,
    html`${isAlone && `${kubernetesAlone} `}${stale && `${stale} `}${advisoryEdge(coverage)}`,
  )
}

function columnsOf(view: View, run_id: string, hasFacts: boolean): PageColumn<FreshnessItem>[] {
  return [
    {
      title: 'Artifact',
      value: (item) =>
        view.link(`/runs/${run_id}/freshness`, breakable(artifactText(item)), { artifact: item.artifact_key }),
      text: ({ artifact_key }) => artifact_key,
    },
    { title: 'Runs', value: ({ current_version }) => clean(current_version, 100) || '-' },
    { title: 'Status', value: statusMarkup, text: ({ status }) => status },
    { title: 'Next safe step', value: (item) => clean(stepCell(item), 300) },
    { title: 'Newest', value: ({ latest_version }) => clean(latest_version, 100) || 'unknown' },
    { title: 'Security fixes between', value: (item) => securityText(item, hasFacts) },
    {
      title: 'Advisories',
      value: ({ advisories_count }) => (advisories_count === null ? 'unknown' : number(advisories_count)),
      text: ({ advisories_count }) => advisories_count,
      align: 'right',
    },
    {
      title: 'Behind',
      value: (item) => (item.status === 'unknown' ? clean(item.reason, 300) || behindText(item) : behindText(item)),
    },
  ]
}

/** Green only for what is current, supported, and was compared with advisories. */
function kindOf(item: FreshnessItem): 'passed' | 'failed' | 'undecided' {
  if (isAffected(item) || item.eol?.is_eol || hasBadState(item) || item.status.endsWith('_behind')) return 'failed'
  return item.status === 'up_to_date' && item.advisories_count === 0 ? 'passed' : 'undecided'
}

const statusTitles: Record<FreshnessItem['status'], string> = {
  major_behind: 'A major version behind',
  minor_behind: 'A minor version behind',
  unknown: 'Unknown',
  up_to_date: 'Current',
}

function titleOf(item: FreshnessItem): string {
  const state = shownState(item)
  return state ? stateTitles[state] : statusTitles[item.status]
}

function noteOf(item: FreshnessItem): string {
  const note = stepNote(item)
  return note === '' ? '' : `: ${note}`
}

/** What is known beside its version, with the sources. */
function factsOf({ facts = [], notes = [] }: FreshnessItem): Markup | false {
  const all = [
    ...facts.map((fact) => ({ ...fact, title: stateTitles[fact.state] })),
    ...notes.map((note) => ({ ...note, title: 'Note' })),
  ]
  return (
    all.length > 0 &&
    html`${all.map(({ title, what, since, source }) => html`<dt>${title}</dt><dd>${clean(what, 1000)}${since !== null && ` Since ${clean(since, 10)}.`}${source !== null && html` <span class="soft">${breakable(clean(source, 500))}</span>`}</dd>`)}`
  )
}

/** Why one artifact has its status: the candidates, its advisories, and where it runs. */
function explained(view: View, run_id: string, items: FreshnessItem[]) {
  const [item] = items
  if (!item) {
    return {
      title: 'No such artifact',
      body: html`<h1>No such artifact</h1><p>The run does not have it. ${view.link(`/runs/${run_id}/freshness`, 'What runs')}</p>`,
    }
  }
  return {
    title: clean(item.display_name, 150),
    body: html`<h1>${clean(item.display_name, 300)}</h1>
<p>${view.link(`/runs/${run_id}/freshness`, 'Everything that runs')}</p>
${banner(kindOf(item), titleOf(item), html`${clean(item.reason, 600)} ${clean(item.recommendation, 1500)}`)}
<dl>
<dt>Runs</dt><dd>${clean(item.current_version, 100) || 'The tag states no version.'}</dd>
<dt>Next safe step</dt><dd>${clean(stepCell(item), 300)}${clean(noteOf(item), 600)}</dd>
${factsOf(item)}
<dt>Newest</dt><dd>${clean(item.latest_version, 100) || 'unknown'}</dd>
<dt>Behind</dt><dd>${item.status === 'unknown' ? 'unknown' : behindText(item)}</dd>
<dt>Support</dt><dd>${item.eol ? `${item.eol.cycle}: ${item.eol.is_eol ? 'ended' : 'until'} ${item.eol.date ?? 'an unknown day'}` : 'unknown'}</dd>
${item.source_product_id !== null && html`<dt>Confidence</dt><dd>${Math.round(item.confidence * 100)} % that this is the project</dd>`}
<dt>Where</dt><dd>${item.workloads.length > 0 ? clean(item.workloads.slice(0, 50).join(', '), 3000) : clean(item.namespace) || 'not known'}${item.workloads.length > 50 && ` and ${number(item.workloads.length - 50)} more`}</dd>
${item.source_product_id !== null && html`<dt>Project</dt><dd>${view.link(`/projects/${item.source_product_id}`, 'Its releases')}, ${view.link('/impact', 'where else it runs', { product_id: item.source_product_id })}</dd>`}
</dl>
${section(
  'advisories',
  'Advisories',
  html`${item.advisories_undecided > 0 && html`<p class="warn">${count(item.advisories_undecided, 'advisory', 'advisories')} could not be compared with the version.</p>`}${showTable(
    view,
    {
      id: 'advisories',
      caption: 'Advisories that affect it, the worst first',
      columns: [
        {
          title: 'Advisory',
          value: ({ id, exploited }) => html`${view.link('/impact', id, { cve: id })}${exploited && exploitedMark}`,
          text: ({ id }) => id,
        },
        {
          title: 'Severity',
          value: ({ severity }) => advisorySeverity(severity),
          text: ({ severity }) => severity,
        },
        { title: 'Score', value: ({ score }) => (score === null ? 'n/a' : String(score)), align: 'right' },
        { title: 'Published', value: ({ published }) => published ?? 'unknown' },
        {
          title: 'Fixed in',
          value: ({ fixed_in_line, fixed_in }) => clean(fixed_in_line ?? fixed_in, 100) || 'no release',
        },
      ],
      rows: item.advisories,
      json: item.advisories,
      empty:
        item.advisories_count === null
          ? 'Not known: the catalog has no advisories of the project, or the version cannot be compared.'
          : 'No known advisory affects it.',
    },
  )}`,
)}
${section(
  'candidates',
  item.source_product_id === null ? 'Why no project' : 'Why this project',
  showTable(view, {
    id: 'candidates',
    caption: 'Projects that it could be, and why each was taken or not',
    columns: [
      {
        title: 'Project',
        value: ({ product_id, name }) => view.link(`/projects/${product_id}`, clean(name, 200)),
        text: ({ name }) => name,
      },
      { title: 'Matched by', value: ({ matched_by }) => matched_by },
      { title: 'Taken', value: ({ taken }) => (taken ? 'yes' : 'no') },
      { title: 'Confidence', value: ({ confidence }) => `${Math.round(confidence * 100)} %`, align: 'right' },
      { title: 'Why', value: ({ reason }) => clean(reason, 400) },
    ],
    rows: item.candidates ?? [],
    json: item.candidates ?? [],
    empty: 'No project of the catalog could be it.',
  }),
)}`,
  }
}
