import { Argument, type Command } from 'commander'
import { parseClusterName } from '../../../config/cluster-name.ts'
import type { Context } from '../../../context.ts'
import { feedKinds } from '../../../contract/choices.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export interface CreateFeedOptions {
  cluster?: string
  environment?: string
}

type FeedKind = (typeof feedKinds)[number]

export function createCommand(context: Context, run = runCreate): Command {
  return newCommand('create', 'Create a feed and show its address once', [
    'relt feeds create releases',
    'relt feeds create changes --cluster prod-eu/prod',
    'relt feeds create support --json',
  ])
    .addArgument(
      new Argument(
        '<kind>',
        'releases: new releases of your projects; changes: changes of a cluster; support: end-of-support dates',
      ).choices(feedKinds),
    )
    .option('-c, --cluster <name>', 'cluster of a `changes` feed (default: the cluster of the latest upload)')
    .option('-e, --environment <name>', 'environment of the cluster')
    .action((kind, options, command) => run(cliOf(context, command), kind, options))
}

export async function runCreate(cli: Cli, kind: FeedKind, options: CreateFeedOptions): Promise<void> {
  const named = options.cluster === undefined ? undefined : parseClusterName(options.cluster)
  const environment = options.environment ?? named?.environment
  const client = await cli.context.client()
  const answer = await client.call('createFeed', {
    body: { kind, ...(named && { cluster_name: named.cluster }), ...(environment !== undefined && { environment }) },
  })
  await show(cli, { body: answer, text: () => `${answer.url ?? answer.path}\n` })
  if (!cli.json) {
    cli.io.err(cli.io.errColor.dim('Whoever has the address can read the feed. It is not shown again.\n'))
  }
}
