import { ReltError } from '../../../errors.ts'
import { formatEvery } from '../../../util/every.ts'
import { parseEvery } from '../../input/interval.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { collect } from '../scan/options.ts'
import { findCluster, toName } from './load.ts'
import { changeCluster } from './rename.ts'

export default verb({
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
      ...(environment !== undefined && { environment }),
      ...(interval !== undefined && { expected_every: interval }),
      ...(label.length + removeLabel.length > 0 && { labels }),
    })
    const now = [
      changed.expected_every === null ? 'no expected interval' : `every ${formatEvery(changed.expected_every)}`,
      `labels: ${changed.labels.join(', ') || 'none'}`,
    ]
    await sayDone(cli, `Changed ${toName(changed)}: ${now.join(', ')}`, changed)
  },
})
