import type { ClusterChange, FleetCluster } from '../../../contract/cluster.ts'
import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { defined } from '../../../util/defined.ts'
import { formatEvery } from '../../../util/every.ts'
import { count } from '../../../util/words.ts'
import { parseEvery } from '../../input/interval.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { noun, verb } from '../../program/verb.ts'
import { collect } from '../scan/options.ts'
import { findCluster, toName } from './load.ts'
import versions from './versions.ts'

export const set = verb({
  name: 'set',
  summary: 'Set the environment, labels or expected interval of a cluster',
  examples: [
    'relt clusters set prod-eu --every 24h',
    'relt clusters set prod-eu/prod --label team-shop --label gdpr',
    'relt clusters set prod-eu --remove-label gdpr --no-every',
  ],
  args: [['<cluster>', 'name, name/environment or id']],
  options: {
    '-e, --environment <name>': 'new environment of the cluster and its runs',
    '--every <interval>': { help: 'interval in which scans are expected, such as 24h', parse: parseEvery },
    '--no-every': 'expect no scans',
    '--label <label>': { help: 'label to add (repeatable)', parse: collect },
    '--remove-label <label>': { help: 'label to remove (repeatable)', parse: collect },
  },
  run: async (cli, typed, options) => {
    const { environment, every, label = [], removeLabel = [] } = options
    // commander returns true for an option that has a negation.
    const interval = every === false ? null : typeof every === 'number' ? every : undefined
    if (environment === undefined && interval === undefined && label.length + removeLabel.length === 0) {
      throw new ReltError('usage', 'Nothing to change.', {
        hint: 'Add --environment, --every, --label or --remove-label.',
      })
    }
    const cluster = await findCluster(cli, typed)
    const labels = [...(cluster.labels ?? []), ...label].filter((each) => !removeLabel.includes(each))
    const changed = await changeCluster(cli, cluster, {
      ...defined({ environment, expected_every: interval }),
      ...(label.length + removeLabel.length > 0 && { labels }),
    })
    const now = [
      changed.expected_every === null ? 'no expected interval' : `every ${formatEvery(changed.expected_every)}`,
      `labels: ${changed.labels.join(', ') || 'none'}`,
    ]
    await sayDone(cli, `Changed ${toName(changed)}: ${now.join(', ')}`, changed)
  },
})

const rename = verb({
  name: 'rename',
  summary: 'Rename a cluster with all its runs',
  examples: ['relt clusters rename prod-eu shop-eu'],
  args: [
    ['<cluster>', 'name, name/environment or id'],
    ['<name>', 'new name'],
  ],
  run: async (cli, typed, name) => {
    const cluster = await findCluster(cli, typed)
    const changed = await changeCluster(cli, cluster, { cluster_name: name })
    await sayDone(cli, `Renamed ${toName(cluster)} to ${toName(changed)}`, changed)
    if (!cli.json) {
      const old = plain(cluster.cluster_name)
      cli.io.err(
        `Reports that name ${old} are stored as a cluster of that name. Upload them with --cluster ${plain(name)}.\n`,
      )
    }
  },
})

/** Throws `conflict` with the id of the cluster that has the new name. */
export async function changeCluster(
  cli: Cli,
  { cluster_id }: ReceivedCluster,
  body: ClusterChange,
): Promise<FleetCluster> {
  try {
    return await cli.call('updateCluster', { params: { cluster_id }, body })
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'conflict' || error.id === undefined) throw error
    throw new ReltError('conflict', error.message, {
      id: error.id,
      hint: `Its id is ${error.id}. Clusters are never merged: delete one, or choose another name.`,
      cause: error,
    })
  }
}

const remove = verb({
  name: 'delete',
  summary: 'Delete a cluster with all its runs and reports',
  examples: ['relt clusters delete shop-test/test', 'relt clusters delete shop-test --yes'],
  args: [['<cluster>', 'name, name/environment or id']],
  options: yesOption,
  run: async (cli, typed, { yes }) => {
    const { cluster_id, cluster_name, environment } = await findCluster(cli, typed)
    const { total } = await cli.call('listReports', { query: { cluster_name, environment, per_page: 1 } })
    const runs = total === null ? 'all its runs' : count(total, 'run')
    const name = toName({ cluster_name, environment })
    await confirm(cli, { yes }, `Permanently delete ${name} with ${runs}, their reports and its history?`)
    await sayDone(cli, `Deleted ${name} with ${runs}`, await cli.call('deleteCluster', { params: { cluster_id } }))
  },
})

export default noun({
  examples: ['relt clusters versions argo-cd', 'relt clusters set prod-eu --every 24h'],
  verbs: [versions, rename, set, remove],
})
