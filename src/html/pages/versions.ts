import { clean, html, name } from '../../render/html/markup.ts'
import { staleText } from '../../reports/stale-catalog.ts'
import { count, number } from '../../util/words.ts'
import { wayText } from '../../views/step.ts'
import { statusMarkup } from '../report/freshness.ts'
import { pageRows, showTable } from './page-table.ts'
import type { WebPage } from './view.ts'
import { banner, clusterText, figure } from './words.ts'

export const versionsPage: WebPage = {
  path: '/versions',
  filters: ['product_id'],
  async show({ query, view, call }) {
    const found = await call('listClusterVersions', { query: { product_id: query.product_id ?? '' } as never })
    const stale = staleText(found.catalog_date, view.now)
    const { product, summary, unknown: without, items } = found
    return {
      title: `Versions of ${clean(product.name, 100)}`,
      body: html`<h1>Versions of ${view.link(`/projects/${product.id}`, clean(product.name, 200))}</h1>
${banner(stale || summary.pending + without.length > 0 || summary.clusters === 0 ? 'undecided' : '', `${number(summary.running)} of ${count(summary.clusters, 'cluster')} run it`, `The newest release is ${clean(product.latest_version, 100) || 'unknown'}. ${stale} ${without.length > 0 ? `Not known of ${count(without.length, 'cluster')} without an inventory: ${clean(without.slice(0, 10).map(clusterText).join(', '), 1000)}${without.length > 10 ? ` and ${number(without.length - 10)} more` : ''}.` : ''}`)}
${showTable(view, {
  id: 'versions',
  caption: 'Versions, the furthest behind first',
  columns: [
    {
      title: 'Cluster',
      value: (item) =>
        view.link(`/clusters/${item.cluster_id}`, html`${name(item.cluster_name)} (${name(item.environment)})`),
      text: (item) => item.cluster_name,
    },
    { title: 'Artifact', value: (item) => clean(item.name, 250) },
    { title: 'Version', value: ({ version }) => clean(version, 100) || 'not stated' },
    { title: 'Status', value: statusMarkup, text: ({ status }) => status },
    { title: 'Next safe step', value: ({ step }) => (step ? clean(wayText(step), 300) : '-') },
    {
      title: 'Releases behind',
      value: ({ releases_behind }) => figure(releases_behind),
      text: ({ releases_behind }) => releases_behind,
      align: 'right',
    },
    {
      title: 'Days behind',
      value: ({ days_behind }) => figure(days_behind),
      text: ({ days_behind }) => days_behind,
      align: 'right',
    },
  ],
  ...pageRows(view, items),
  json: found,
  empty: 'No cluster is known to run it.',
})}`,
    }
  },
}
