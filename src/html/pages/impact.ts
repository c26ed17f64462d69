import type { Impact } from '../../contract/impact.ts'
import { ReltError } from '../../errors.ts'
import { drawColumns, drawNote, drawVerdict } from '../../render/html/draw.ts'
import { clean, html, name } from '../../render/html/markup.ts'
import { andMore, count, number } from '../../util/words.ts'
import { impactAdvisoryColumns, impactColumns, impactNotes, impactVerdict } from '../../views/impact.ts'
import { titles } from '../../views/titles.ts'
import { chosen } from '../../views/view.ts'
import { filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { rowsOfPage, showTable, toPage } from './page-table.ts'
import type { Query, View, WebPage } from './view.ts'
import { banner, section } from './words.ts'

const advisoryColumns = chosen(
  impactAdvisoryColumns,
  'advisory',
  'severity',
  'published',
  'project',
  'clusters',
  'artifacts',
  'certain',
)

export const impactPage: WebPage = {
  path: '/impact',
  heavy: true,
  nav: 'Impact',
  for: 'pro',
  filters: ['cve', 'release_id', 'new_days'],
  async show({ query, view, call }) {
    const { cve, release_id, new_days } = query
    const asked = { cve, release_id, new_days }
    const form = searchForm(view)
    const list = (page: number, per_page: number) => call('getImpact', { query: { ...asked, page, per_page } })
    const found = await list(toPage(view), rowsOfPage).catch((error) => {
      if (error instanceof ReltError && error.code === 'invalid_param') return error
      throw error
    })
    if (found instanceof ReltError) {
      return {
        title: titles.impact,
        body: html`<h1>Impact</h1>${banner('undecided', 'This filter is not valid', whyOf(found))}${form}`,
      }
    }
    const { advisories = [] } = found
    const ink = inkFor(view)
    const subject = clean(toSubject(query), 60)
    return {
      title: `Impact of ${subject}`,
      body: html`<h1>Impact of ${subject}</h1>
${drawVerdict(impactVerdict(found, { isOfOne: Boolean(cve), now: view.now }), ink)}
${impactNotes(found, cve || undefined).map((note) => drawNote(note, ink))}
${form}
${comparedNote(found)}
${lookedAtNote(view, found)}
${section('where', 'Where', affectedTable(view, found, list))}
${
  advisories.length > 0 &&
  section(
    'advisories',
    'Advisories',
    showTable(view, {
      id: 'advisories',
      caption: 'Advisories that touch what runs, the worst first',
      columns: drawColumns(advisoryColumns, inkFor(view)),
      rows: advisories,
      json: advisories,
      empty: '',
      most: 50,
    }),
  )
}`,
    }
  },
}

const fields = { cve: 'Advisory', new_days: 'Published in the last (days)' }

function searchForm(view: View) {
  const { release_id } = view.query
  return filterForm(view, [
    { name: 'cve', label: fields.cve, type: 'search', hint: 'CVE-2026-1234' },
    { name: 'new_days', label: fields.new_days, type: 'number' },
    ...(release_id ? [{ name: 'release_id', label: 'Release', type: 'search' as const }] : []),
  ])
}

/** The subject of the question, for the title. */
function toSubject({ cve, release_id, new_days }: Query) {
  if (cve) return cve
  if (release_id) return 'the release'
  return new_days ? `advisories of the last ${clean(new_days, 5)} days` : 'every security fix'
}

function comparedNote({ coverage, catalog_date }: Impact) {
  if (!coverage || coverage.artifacts === 0) return false
  const { artifacts, known, advisories_known: compared } = coverage
  return html`<p class="note">Of ${count(artifacts, 'artifact')}, ${number(known)} are known to the catalog${compared !== undefined && html`, and ${number(compared)} could be compared with advisories`}. Facts of ${clean(catalog_date, 10)}.</p>`
}

function lookedAtNote(view: View, { looked_at }: Impact) {
  const clusters = looked_at?.clusters ?? []
  if (clusters.length === 0) return false
  return html`<p class="note">Clusters looked at: ${clusters.slice(0, 20).map((each) => html`${view.link(`/runs/${each.run_id}`, html`${name(each.cluster_name)} (${name(each.environment)})`)} `)}${clusters.length > 20 && andMore(clusters.length - 20)}</p>`
}

function affectedTable(view: View, found: Impact, list: (page: number, perPage: number) => Promise<Impact>) {
  const { summary, items } = found
  const columns = impactColumns(Boolean(view.query.cve))
  const shown = chosen(columns, 'cluster', 'artifact', 'workloads', 'runs', 'upgrade_to', 'severity', 'project')
  return showTable(view, {
    id: 'items',
    caption: 'Affected artifacts, by cluster',
    columns: drawColumns(shown, inkFor(view)),
    rows: items,
    json: found,
    empty: summary.clusters_seen === 0 ? 'No cluster was looked at.' : 'Nothing that runs is known to be affected.',
    paging: {
      page: toPage(view),
      per_page: rowsOfPage,
      total: summary.artifacts,
      most: 1000,
      total_pages: Math.ceil(summary.artifacts / rowsOfPage),
      list: async (...of) => (await list(...of)).items,
    },
  })
}

/** `cve: must match …`. */
function whyOf({ message, params = {} }: ReltError) {
  const reasons = Object.entries(params).map(
    ([field, why]) => `${(fields as Record<string, string>)[field] ?? field}: ${why}.`,
  )
  return clean(reasons.join(' ') || message, 400)
}
