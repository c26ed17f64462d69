import type { Project } from '../../contract/project.ts'
import { drawColumns, drawVerdict } from '../../render/html/draw.ts'
import { clean, html } from '../../render/html/markup.ts'
import { foldedVersions, versionColumns, versionsVerdict } from '../../views/versions.ts'
import { chosen } from '../../views/view.ts'
import { filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { pageRows, showTable } from './page-table.ts'
import type { Call, View, WebPage } from './view.ts'

const shown = [
  ...chosen(versionColumns, 'cluster', 'environment', 'artifact', 'version', 'status', 'step'),
  ...chosen(versionColumns, 'releases_behind', 'days_behind'),
]

export const versionsPage: WebPage = {
  path: '/versions',
  heavy: true,
  filters: ['product_id', 'project'],
  async show({ query, view, call }) {
    const { product_id, project = '' } = query
    if (product_id === undefined) return choose(view, project, await findCalled(call, project))
    const found = await call('listClusterVersions', { query: { product_id } as never })
    const { product, items } = found
    return {
      title: `Versions of ${clean(product.name, 100)}`,
      body: html`<h1>Versions of ${view.link(`/projects/${product.id}`, clean(product.name, 200))}</h1>
${drawVerdict(versionsVerdict(found, view.now))}
${showTable(view, {
  id: 'versions',
  caption: 'Versions, the furthest behind first',
  columns: drawColumns(shown, inkFor(view)),
  ...pageRows(view, foldedVersions(items)),
  json: found,
  empty: 'No cluster is known to run it.',
})}`,
    }
  },
}

/** Limit of choices; with more matches, a more specific name is needed. */
const mostChoices = 20

async function findCalled(call: Call, project: string): Promise<Project[]> {
  if (project.trim() === '') return []
  const { items } = await call('listProjects', { query: { search: project.trim(), per_page: mostChoices } as never })
  return items
}

function choose(view: View, project: string, found: Project[]) {
  const none = project.trim() === '' ? 'Search for a project by its name.' : 'No project of the catalog has this name.'
  return {
    title: 'Versions of a project',
    body: html`<h1>Versions of a project</h1>
<p>Which versions of a project run in which clusters, and how far behind they are.</p>
${filterForm(view, [{ name: 'project', label: 'Project', type: 'search' }])}
${
  found.length === 0
    ? html`<p>${none}</p>`
    : html`<ul>
${found.map(
  ({ id, name }) => html`<li>${view.link('/versions', clean(name, 200), { product_id: id })}</li>
`,
)}</ul>`
}`,
  }
}
