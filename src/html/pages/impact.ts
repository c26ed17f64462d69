import { ReltError } from '../../errors.ts'
import { breakable, clean, html, type Markup, name } from '../../render/html/markup.ts'
import { staleText } from '../../reports/stale-catalog.ts'
import { count, number } from '../../util/words.ts'
import { impactText } from '../../views/step.ts'
import { filterForm } from './form.ts'
import { pageOf, rowsOfPage, showTable } from './page-table.ts'
import type { WebPage } from './view.ts'
import { advisorySeverity, banner, exploitedMark, section } from './words.ts'

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
    const page = pageOf(view)
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
    const { summary, items, advisories, coverage, looked_at, has_ranges } = found
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
${verdictOf(summary, has_ranges, coverage, staleText(found.catalog_date, view.now))}
${form}
${coverage && coverage.artifacts > 0 && html`<p class="note">Of ${count(coverage.artifacts, 'artifact')}, ${number(coverage.known)} are known to the catalog${coverage.advisories_known !== undefined && html`, and ${number(coverage.advisories_known)} could be compared with advisories`}. Catalog of ${clean(found.catalog_date, 10)}.</p>`}
${looked_at?.clusters && looked_at.clusters.length > 0 && html`<p class="note">Clusters looked at: ${looked_at.clusters.slice(0, 20).map((each) => html`${view.link(`/runs/${each.run_id}`, html`${name(each.cluster_name)} (${name(each.environment)})`)} `)}${looked_at.clusters.length > 20 && html`and ${number(looked_at.clusters.length - 20)} more`}</p>`}
${section(
  'where',
  'Where',
  showTable(view, {
    id: 'items',
    caption: 'Affected artifacts, by cluster',
    columns: [
      {
        title: 'Cluster',
        value: (item) =>
          view.link(`/runs/${item.run_id}`, html`${name(item.cluster_name)} (${name(item.environment)})`),
        text: (item) => item.cluster_name,
      },
      {
        title: 'Artifact',
        value: (item) =>
          view.link(`/runs/${item.run_id}/freshness`, breakable(clean(item.display_name, 250)), {
            artifact: item.artifact_key,
          }),
        text: (item) => item.display_name,
      },
      {
        title: 'Workloads',
        value: ({ artifact_type, workloads, namespaces }) =>
          artifact_type === 'kubernetes'
            ? 'the whole cluster'
            : `${clean(workloads.slice(0, 3).join(', ') || namespaces.join(', '), 300) || 'not stated'}${workloads.length > 3 ? ` and ${workloads.length - 3} more` : ''}`,
        text: ({ workloads }) => workloads.join(' '),
      },
      {
        title: 'Runs',
        value: ({ current_version, is_certain }) =>
          html`${clean(current_version, 100) || '-'}${!is_certain && html` <span class="warn">not certain</span>`}`,
        text: ({ current_version }) => current_version,
      },
      { title: 'Upgrade to', value: (item) => clean(impactText(item, Boolean(cve)), 300) },
      {
        title: 'Severity',
        value: ({ severity, exploited }) =>
          html`${severity === 'none' ? 'unknown' : html`<span class="severity ${severity}">${severity}</span>`}${exploited && exploitedMark}`,
        text: ({ severity }) => severity,
      },
      {
        title: 'Project',
        value: ({ product_id, product_name }) => view.link(`/projects/${product_id}`, clean(product_name, 200)),
        text: ({ product_name }) => product_name,
      },
    ],
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
        { title: 'Published', value: ({ published }) => published ?? 'unknown' },
        {
          title: 'Project',
          value: (each) => view.link(`/projects/${each.product_id}`, clean(each.product_name, 200)),
          text: (each) => each.product_name,
        },
        { title: 'Clusters', value: ({ clusters }) => number(clusters), align: 'right' },
        { title: 'Artifacts', value: ({ artifacts }) => number(artifacts), align: 'right' },
        { title: 'Certain', value: ({ is_certain }) => (is_certain ? 'yes' : 'no') },
      ],
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

interface Summary {
  clusters_seen: number
  clusters: number
  artifacts: number
  workloads: number
}

/** Green only where everything that runs could be compared. */
function verdictOf(
  { clusters_seen, clusters, artifacts, workloads }: Summary,
  hasRanges: boolean | undefined,
  coverage: { artifacts: number; known: number; advisories_known?: number | undefined } | undefined,
  stale: string,
): Markup {
  const seen = `${count(clusters_seen, 'cluster')} looked at.${stale && ` ${stale}`}`
  if (artifacts > 0)
    return banner(
      'failed',
      `${count(artifacts, 'artifact')} in ${count(clusters, 'cluster')}`,
      `${count(workloads, 'workload')} affected; ${seen}`,
    )
  if (clusters_seen === 0) return banner('undecided', 'No cluster was looked at', 'No run says what runs.')
  if (hasRanges === false)
    return banner('undecided', 'Not known', `The catalog does not know which versions it affects. ${seen}`)
  const { artifacts: all, known, advisories_known: compared = known } = coverage ?? {}
  const isWhole = all !== undefined && all > 0 && known === all && compared === all
  return banner(
    isWhole && stale === '' ? 'passed' : 'undecided',
    'Nothing is known to be affected',
    `${seen}${isWhole ? '' : all === 0 ? ' No run lists what runs.' : ' Some of what runs is unknown, or has no facts to compare with.'}`,
  )
}
