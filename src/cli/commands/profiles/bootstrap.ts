import type { ReceivedBootstrapCandidate } from '../../../contract/received/cluster-config.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'bootstrap',
  summary: 'Create scan profiles from the latest reports of clusters',
  examples: [
    'relt profiles bootstrap --all',
    'relt profiles bootstrap shop-prod shop-test',
    'relt profiles bootstrap --all --environment prod',
  ],
  args: [['[clusters...]', 'cluster names']],
  options: {
    '--all': 'all clusters without a profile',
    '-e, --environment <name>': 'only from reports of this environment',
  },
  run: async (cli, named, { all, environment }) => {
    if (all && named.length > 0) throw new ReltError('usage', 'Use either cluster names or --all.')
    const { candidates } = await cli.call('listBootstrapCandidates', {})
    const known = candidates.filter((each) => environment === undefined || each.environment === environment)
    const wanted = all || named.length > 0 ? [...new Set(named)] : await choose(cli, known)
    const unknown = wanted.filter((name) => !known.some((each) => each.cluster_name === name))
    const cluster_names = wanted.filter((name) => !unknown.includes(name))
    if (!all && cluster_names.length === 0) throw noReports(unknown)
    const answer = await cli.call('bootstrapConfigs', {
      body: { ...(!all && { cluster_names }), ...(environment !== undefined && { environment }) },
    })
    for (const { name, config_id } of answer.created ?? [])
      say(cli, `Created the profile ${name ?? '-'}${config_id ? ` (${config_id})` : ''}`)
    if (!answer.created) say(cli, 'Done. The server does not report which profiles it created')
    for (const { cluster_name, reason } of cli.json ? [] : (answer.skipped ?? [])) {
      cli.io.err(`${plain(cluster_name ?? '-')} ${plain(reason ?? 'was skipped')}\n`)
    }
    await show(cli, { body: answer })
    if (unknown.length > 0) throw noReports(unknown)
  },
})

async function choose(cli: Cli, known: ReceivedBootstrapCandidate[]): Promise<string[]> {
  const open = known.filter((each) => !each.already_configured)
  if (!cli.io.isInteractive) {
    throw new ReltError('usage', "missing required argument 'clusters'", { hint: 'Name clusters, or add --all.' })
  }
  if (open.length === 0) throw new ReltError('not_found', 'No cluster with reports lacks a profile.')
  const { checkbox } = await import('@inquirer/prompts')
  const choices = [...new Set(open.flatMap((each) => each.cluster_name ?? []))].map((value) => ({
    value,
    name: plain(value),
  }))
  return checkbox({ message: 'For which clusters?', choices, required: true }, cli.io.questions)
}

function noReports(clusters: string[]): ReltError {
  const [only, ...others] = clusters
  if (others.length === 0) return new ReltError('not_found', `No reports for cluster ${only}.`)
  const params = Object.fromEntries(clusters.map((name) => [name, 'no reports']))
  return new ReltError('not_found', `${clusters.length} clusters have no reports.`, { params })
}
