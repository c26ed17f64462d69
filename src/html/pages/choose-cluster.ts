import { html } from '../../render/html/markup.ts'
import type { Call, Query, ShownPage, View } from './view.ts'
import { banner, clusterText } from './words.ts'

/** Shown instead of a page about one cluster, if its URL names none of several: the clusters to choose from. */
export async function chooseCluster(
  { query, view, call }: { query: Query; view: View; call: Call },
  { path, title }: { path: string; title: string },
): Promise<ShownPage | undefined> {
  if (query.cluster_name || query.from_run_id || query.to_run_id) return undefined
  const { items } = await call('listClusters', { query: { sort: 'name', per_page: 100 } })
  if (new Set(items.map(({ cluster_name }) => cluster_name)).size < 2) return undefined
  return {
    title,
    body: html`<h1>${title}</h1>
${banner('', 'Choose a cluster')}
<ul class="links">${items.map((cluster) => {
      const { cluster_name, environment } = cluster
      return html`<li>${view.link(path, clusterText(cluster), { ...query, cluster_name, environment })}</li>`
    })}</ul>`,
  }
}
