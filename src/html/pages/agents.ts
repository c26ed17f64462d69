import type { RouteAnswer } from '../../contract/routes.ts'
import { drawColumns, drawVerdict } from '../../render/html/draw.ts'
import { html, name } from '../../render/html/markup.ts'
import { agentColumns, agentsVerdict, jobColumns } from '../../views/agent.ts'
import { titles } from '../../views/titles.ts'
import { chosen } from '../../views/view.ts'
import { inkFor } from './ink.ts'
import { nameColumn, showTable, timeColumn } from './page-table.ts'
import type { View, WebPage } from './view.ts'
import { section } from './words.ts'

export const agentsPage: WebPage = {
  path: '/agents',
  nav: 'Agents',
  for: 'pro',
  async show({ view, call }) {
    const found = await call('listAgents', {})
    const allJobs = found.items.flatMap((agent) => agent.jobs.map((job) => ({ ...job, host: agent.host })))
    const ink = inkFor(view)
    const of = agentColumns(view.now)
    const agents = chosen(of, 'host', 'last_heartbeat', 'version', 'uploads_waiting', 'jobs', 'failed')
    return {
      title: 'Agents',
      body: html`<h1>Agents</h1>
${drawVerdict(agentsVerdict(found, view.now), ink)}
${section('silent', 'Silent clusters', silentClusters(view, found))}
${section(
  'agents',
  'Agents',
  showTable(view, {
    id: 'agents',
    caption: 'Agents, by the time of their last report',
    columns: drawColumns(agents, ink),
    rows: found.items,
    json: found,
    empty: html`No agent reports here. Start one: <code class="command">relt agent run</code>`,
  }),
)}
${section(
  'jobs',
  'Jobs',
  showTable(view, {
    id: 'jobs',
    caption: 'Jobs of all agents',
    columns: drawColumns(chosen(jobColumns(view.now), 'job', 'host', 'cluster', 'last_outcome', 'last', 'next'), ink),
    rows: allJobs,
    json: found,
    empty: 'No agent has a job.',
    most: 200,
  }),
)}`,
    }
  },
}

function silentClusters(view: View, found: RouteAnswer<'listAgents'>) {
  return showTable(view, {
    id: 'silent',
    caption: 'No report came for longer than expected',
    columns: [
      {
        title: titles.cluster,
        value: ({ cluster_name, environment }) => view.link('/', name(cluster_name), { cluster_name, environment }),
        text: ({ cluster_name }) => cluster_name,
      },
      nameColumn(titles.environment, 'environment'),
      timeColumn('Last report', 'last_report_at'),
      timeColumn('Silent since', 'silent_since'),
    ],
    rows: found.silent_clusters,
    json: found,
    empty: 'No cluster is known to be silent.',
  })
}
