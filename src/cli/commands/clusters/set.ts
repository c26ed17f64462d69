import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { formatEvery, parseEvery } from '../../input/interval.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { findCluster, nameOf } from './load.ts'
import { changeCluster } from './rename.ts'

export interface SetClusterOptions {
  environment?: string
  every?: number | false
  label?: string[]
  removeLabel?: string[]
}

export function createCommand(context: Context, run = runSet): Command {
  const each = (value: string, values: string[] = []) => [...values, value]
  return newCommand('set', 'Set the environment, labels or expected interval of a cluster', [
    'relt clusters set prod-eu --every 24h',
    'relt clusters set prod-eu/prod --label team-shop --label gdpr',
    'relt clusters set prod-eu --remove-label gdpr --no-every',
  ])
    .argument('<cluster>', 'name, name/environment or id')
    .option('-e, --environment <name>', 'new environment of the cluster and its runs')
    .option('--every <interval>', 'interval in which scans are expected, such as 24h', parseEvery)
    .option('--no-every', 'expect no scans')
    .option('--label <label>', 'label to add (repeatable)', each)
    .option('--remove-label <label>', 'label to remove (repeatable)', each)
    .action((cluster, options, command) => run(cliOf(context, command), cluster, options))
}

export async function runSet(cli: Cli, typed: string, options: SetClusterOptions): Promise<void> {
  const { environment, every, label = [], removeLabel = [] } = options
  // commander gives true for an option that has a negation.
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
  await sayDone(cli, `Changed ${nameOf(changed)}: ${now.join(', ')}`, changed)
}
