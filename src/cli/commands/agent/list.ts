import type { AgentRecord } from '../../../contract/agent.ts'
import { when } from '../../../util/ago.ts'
import { formatDuration } from '../../../util/duration.ts'
import { show } from '../../output/output.ts'
import { warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'list',
  summary: 'List the agents that report to the server, and silent clusters',
  examples: ['relt agent list', 'relt agent list --json'],
  run: runList,
})

async function runList(cli: Cli): Promise<void> {
  const client = await cli.context.client()
  const body = await client.call('listAgents', {})
  const { items, silent_clusters: silent } = body
  await show(cli, {
    body,
    rows: items,
    columns: ({ color, isTerminal }, now) => [
      { title: 'Host', value: ({ host }: AgentRecord) => host, style: (cell) => color.bold(cell) },
      { title: 'Version', value: ({ version }) => version },
      { title: 'Last heartbeat', value: ({ last_seen_at }) => when(last_seen_at, { isTerminal, now }) },
      { title: 'Jobs', value: ({ jobs }) => String(jobs.length), align: 'right' },
      {
        title: 'Failed',
        value: ({ jobs }) => String(jobs.filter(({ last_outcome }) => last_outcome === 'failed').length),
        align: 'right',
      },
      { title: 'Uploads waiting', value: ({ uploads_waiting }) => String(uploads_waiting), align: 'right' },
    ],
    empty: 'No agent has reported to this server. Start one: relt agent run',
    remarks: silent.map(({ cluster_name, environment, expected_every, last_report_at }) =>
      warning(
        `No report of ${cluster_name} (${environment}) ${last_report_at ? `since ${last_report_at}` : 'has come yet'}, expected every ${formatDuration(expected_every)}.`,
      ),
    ),
  })
}
