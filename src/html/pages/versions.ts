import { drawColumns, drawVerdict } from '../../render/html/draw.ts'
import { clean, html } from '../../render/html/markup.ts'
import { versionColumns, versionsVerdict } from '../../views/versions.ts'
import { inkOf } from './ink.ts'
import { pageRows, showTable } from './page-table.ts'
import type { WebPage } from './view.ts'

const shown = [
  ...(['cluster', 'environment', 'artifact', 'version', 'status', 'step'] as const),
  ...(['releases_behind', 'days_behind'] as const),
].map((key) => versionColumns[key])

export const versionsPage: WebPage = {
  path: '/versions',
  heavy: true,
  filters: ['product_id'],
  async show({ query, view, call }) {
    const found = await call('listClusterVersions', { query: { product_id: query.product_id ?? '' } as never })
    const { product, items } = found
    return {
      title: `Versions of ${clean(product.name, 100)}`,
      body: html`<h1>Versions of ${view.link(`/projects/${product.id}`, clean(product.name, 200))}</h1>
${drawVerdict(versionsVerdict(found, view.now))}
${showTable(view, {
  id: 'versions',
  caption: 'Versions, the furthest behind first',
  columns: drawColumns(shown, inkOf(view)),
  ...pageRows(view, items),
  json: found,
  empty: 'No cluster is known to run it.',
})}`,
    }
  },
}
