import { dataColumns, drawColumns } from '../../../render/terminal/draw.ts'
import { formatDuration } from '../../../util/duration.ts'
import { agentColumns } from '../../../views/agent.ts'
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

const shown = ['host', 'version', 'last_heartbeat', 'jobs', 'failed', 'uploads_waiting'] as const

async function runList(cli: Cli): Promise<void> {
  const client = await cli.context.client()
  const body = await client.call('listAgents', {})
  const { items, silent_clusters: silent } = body
  await show(cli, {
    body,
    rows: items,
    columns: (io, now) => {
      const columns = agentColumns(now)
      const all = shown.map((key) => columns[key])
      return io.isTerminal ? drawColumns(io, all, now) : dataColumns(all)
    },
    empty: 'No agent has reported to this server. Start one: relt agent run',
    remarks: silent.map(({ cluster_name, environment, expected_every, last_report_at }) =>
      warning(
        `No report of ${cluster_name} (${environment}) ${last_report_at ? `since ${last_report_at}` : 'has come yet'}, expected every ${formatDuration(expected_every)}.`,
      ),
    ),
  })
}
