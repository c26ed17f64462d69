import type { AgentRecord } from '../../contract/agent.ts'
import { clean, html, name, time } from '../../render/html/markup.ts'
import { parseTimestamp } from '../../util/time.ts'
import { count, number } from '../../util/words.ts'
import { showTable } from './page-table.ts'
import type { WebPage } from './view.ts'
import { banner, section, timeOr } from './words.ts'

/** An agent reports every 5 minutes, as a CronJob every 15. */
const silentAfterSeconds = 30 * 60

export const agentsPage: WebPage = {
  path: '/agents',
  nav: 'Agents',
  for: 'pro',
  async show({ view, call }) {
    const found = await call('listAgents', {})
    const jobs = found.items.flatMap((agent) => agent.jobs.map((job) => ({ ...job, host: agent.host })))
    const silent = found.silent_clusters.length
    const isLost = ({ last_seen_at }: AgentRecord) =>
      (parseTimestamp(last_seen_at) ?? 0) < view.now - silentAfterSeconds
    const isPast = (at: string | null) =>
      (parseTimestamp(at ?? '') ?? Number.POSITIVE_INFINITY) < view.now - silentAfterSeconds
    const lost = found.items.filter(isLost).length
    const failed = jobs.filter(({ last_outcome }) => last_outcome === 'failed' || last_outcome === 'missed').length
    const kind = silent + failed > 0 ? 'failed' : found.items.length === 0 || lost > 0 ? 'undecided' : ''
    const facts = [
      silent > 0 && `${count(silent, 'cluster')} silent`,
      failed > 0 && `${count(failed, 'job')} failed or missed`,
      lost > 0 && `${number(lost)} of ${count(found.items.length, 'agent')} not heard of for 30 minutes`,
    ].filter(Boolean)
    const calm = found.items.length === 0 ? 'No agent reports here' : count(found.items.length, 'agent')
    return {
      title: 'Agents',
      body: html`<h1>Agents</h1>
${banner(kind, facts.join(', ') || calm, 'relt reports silence only for clusters with an interval: relt clusters set NAME --every 24h')}
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
    columns: [
      { title: 'Host', value: ({ host }) => name(host) },
      {
        title: 'Last heard of',
        value: (agent) => html`<span class="${isLost(agent) && 'warn'}">${time(agent.last_seen_at)}</span>`,
        text: ({ last_seen_at }) => last_seen_at,
      },
      { title: 'Version', value: ({ version }) => clean(version, 50) },
      { title: 'Uploads waiting', value: ({ uploads_waiting }) => number(uploads_waiting), align: 'right' },
      { title: 'Jobs', value: (agent) => number(agent.jobs.length), align: 'right' },
    ],
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
    columns: [
      { title: 'Job', value: (job) => name(job.name) },
      { title: 'Host', value: ({ host }) => name(host) },
      { title: 'Cluster', value: ({ cluster_name }) => clean(cluster_name, 200) || 'by its reports' },
      {
        title: 'Last outcome',
        value: ({ last_outcome: outcome }) =>
          outcome === null
            ? 'not run yet'
            : html`<span class="${{ done: 'good', failed: 'bad', missed: 'bad', skipped: 'warn' }[outcome]}">${outcome}</span>`,
        text: ({ last_outcome }) => last_outcome,
      },
      { title: 'Last', value: ({ last_at }) => timeOr(last_at), text: ({ last_at }) => last_at },
      {
        title: 'Next',
        value: ({ next_at }) =>
          isPast(next_at) ? html`<span class="warn">was due ${time(next_at)}</span>` : timeOr(next_at, 'not scheduled'),
        text: ({ next_at }) => next_at,
      },
    ],
    rows: jobs,
    json: found,
    empty: 'No agent has a job.',
    most: 200,
  }),
)}`,
    }
  },
}
