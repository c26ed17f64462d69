import { drawColumns, drawVerdict } from '../../render/html/draw.ts'
import { html, name, time } from '../../render/html/markup.ts'
import { agentColumns, agentsVerdict, jobColumns } from '../../views/agent.ts'
import { inkFor } from './ink.ts'
import { showTable } from './page-table.ts'
import type { WebPage } from './view.ts'
import { section, timeOr } from './words.ts'

const shownAgents = ['host', 'last_heartbeat', 'version', 'uploads_waiting', 'jobs', 'failed'] as const
const shownJobs = ['job', 'host', 'cluster', 'last_outcome', 'last', 'next'] as const

export const agentsPage: WebPage = {
  path: '/agents',
  nav: 'Agents',
  for: 'pro',
  async show({ view, call }) {
    const found = await call('listAgents', {})
    const jobs = found.items.flatMap((agent) => agent.jobs.map((job) => ({ ...job, host: agent.host })))
    const ink = inkFor(view)
    const [ofAgents, ofJobs] = [agentColumns(view.now), jobColumns(view.now)]
    return {
      title: 'Agents',
      body: html`<h1>Agents</h1>
${drawVerdict(agentsVerdict(found, view.now), ink)}
${section(
  'silent',
  'Silent clusters',
  showTable(view, {
    id: 'silent',
    caption: 'No report came for longer than expected',
    columns: [
      {
        title: 'Cluster',
        value: (each) =>
          view.link('/', name(each.cluster_name), { cluster_name: each.cluster_name, environment: each.environment }),
        text: (each) => each.cluster_name,
      },
      { title: 'Environment', value: (each) => name(each.environment) },
      {
        title: 'Last report',
        value: ({ last_report_at }) => timeOr(last_report_at),
        text: ({ last_report_at }) => last_report_at,
      },
      {
        title: 'Silent since',
        value: ({ silent_since }) => time(silent_since),
        text: ({ silent_since }) => silent_since,
      },
    ],
    rows: found.silent_clusters,
    json: found,
    empty: 'No cluster is known to be silent.',
  }),
)}
${section(
  'agents',
  'Agents',
  showTable(view, {
    id: 'agents',
    caption: 'Agents, by the time of their last report',
    columns: drawColumns(
      shownAgents.map((key) => ofAgents[key]),
      ink,
    ),
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
    columns: drawColumns(
      shownJobs.map((key) => ofJobs[key]),
      ink,
    ),
    rows: jobs,
    json: found,
    empty: 'No agent has a job.',
    most: 200,
  }),
)}`,
    }
  },
}
