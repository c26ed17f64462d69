import { ReltError } from '../../errors.ts'
import { drawColumns, drawNote, drawVerdict } from '../../render/html/draw.ts'
import { clean, html, name } from '../../render/html/markup.ts'
import { andMore, count, number } from '../../util/words.ts'
import { impactAdvisoryColumns, impactColumns, impactNotes, impactVerdict } from '../../views/impact.ts'
import { filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { rowsOfPage, showTable, toPage } from './page-table.ts'
import type { WebPage } from './view.ts'
import { banner, section } from './words.ts'

const shown = ['cluster', 'artifact', 'workloads', 'runs', 'upgrade_to', 'severity', 'project'] as const
const advisoryColumns = (
  ['advisory', 'severity', 'published', 'project', 'clusters', 'artifacts', 'certain'] as const
).map((key) => impactAdvisoryColumns[key])

export const impactPage: WebPage = {
  path: '/impact',
  heavy: true,
  nav: 'Impact',
  for: 'pro',
  filters: ['cve', 'product_id', 'release_id', 'new_days'],
  async show({ query, view, call }) {
    const { cve, product_id, release_id, new_days } = query
    const form = filterForm(view, [
      { name: 'cve', label: 'Advisory', type: 'search', hint: 'CVE-2026-1234' },
      { name: 'new_days', label: 'Published in the last (days)', type: 'number' },
      ...(product_id ? [{ name: 'product_id', label: 'Project', type: 'search' as const }] : []),
      ...(release_id ? [{ name: 'release_id', label: 'Release', type: 'search' as const }] : []),
    ])
    const given = Object.fromEntries(
      Object.entries({ cve, product_id, release_id, new_days }).filter(([, value]) => value),
    )
    const list = (page: number, per_page: number) => call('getImpact', { query: { ...given, page, per_page } as never })
    const page = toPage(view)
    const found = await list(page, rowsOfPage).catch((error) => {
      if (error instanceof ReltError && error.code === 'invalid_param') return error
      throw error
    })
    if (found instanceof ReltError) {
      return {
        title: 'Impact',
        body: html`<h1>Impact</h1>${banner('undecided', 'This filter is not valid', whyOf(found))}${form}`,
      }
    }
    const { summary, items, advisories, coverage, looked_at } = found
    const isOfOne = Boolean(cve)
    const columns = impactColumns(isOfOne)
    const ink = inkFor(view)
    const subject =
      cve ||
      (product_id
        ? 'the project'
        : release_id
          ? 'the release'
          : new_days
            ? `advisories of the last ${clean(new_days, 5)} days`
            : 'every security fix')
    return {
      title: `Impact of ${clean(subject, 60)}`,
      body: html`<h1>Impact of ${clean(subject, 60)}</h1>
${drawVerdict(impactVerdict(found, { isOfOne, now: view.now }), ink)}
${impactNotes(found, cve || undefined).map((note) => drawNote(note, ink))}
${form}
${coverage && coverage.artifacts > 0 && html`<p class="note">Of ${count(coverage.artifacts, 'artifact')}, ${number(coverage.known)} are known to the catalog${coverage.advisories_known !== undefined && html`, and ${number(coverage.advisories_known)} could be compared with advisories`}. Catalog of ${clean(found.catalog_date, 10)}.</p>`}
${looked_at?.clusters && looked_at.clusters.length > 0 && html`<p class="note">Clusters looked at: ${looked_at.clusters.slice(0, 20).map((each) => html`${view.link(`/runs/${each.run_id}`, html`${name(each.cluster_name)} (${name(each.environment)})`)} `)}${looked_at.clusters.length > 20 && andMore(looked_at.clusters.length - 20)}</p>`}
${section(
  'where',
  'Where',
  showTable(view, {
    id: 'items',
    caption: 'Affected artifacts, by cluster',
    columns: drawColumns(
      shown.map((key) => columns[key]),
      ink,
    ),
    rows: items,
    json: found,
    empty: summary.clusters_seen === 0 ? 'No cluster was looked at.' : 'Nothing that runs is known to be affected.',
    paging: {
      page,
      per_page: rowsOfPage,
      total: summary.artifacts,
      most: 1000,
      total_pages: Math.ceil(summary.artifacts / rowsOfPage),
      list: async (page, perPage) => (await list(page, perPage)).items,
    },
  }),
)}
${
  advisories &&
  advisories.length > 0 &&
  section(
    'advisories',
    'Advisories',
    showTable(view, {
      id: 'advisories',
      caption: 'Advisories that touch what runs, the worst first',
      columns: drawColumns(advisoryColumns, ink),
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

/** `cve: must match …`. */
function whyOf({ message, params = {} }: ReltError): string {
  const reasons = Object.entries(params).map(([field, why]) => `${fieldWords[field] ?? field}: ${why}.`)
  return clean(reasons.join(' ') || message, 400)
}

const fieldWords: Record<string, string> = { cve: 'Advisory', new_days: 'Published in the last (days)' }
