import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { when } from '../../../util/ago.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List the addresses of your feeds', ['relt feeds list', 'relt feeds list --json']).action(
    (_options, command) => run(cliOf(context, command)),
  )
}

export async function runList(cli: Cli): Promise<void> {
  const { context, io } = cli
  const found = await (await context.client()).call('listFeeds', {})
  const time = { isTerminal: io.isTerminal, now: context.now() }
  await show(cli, {
    body: found,
    rows: found.items,
    columns: () => [
      { title: 'ID', value: ({ feed_id }) => feed_id },
      { title: 'Kind', value: ({ kind }) => kind },
      { title: 'Cluster', value: ({ cluster_name, environment }) => cluster_name && `${cluster_name}/${environment}` },
      { title: 'Team', value: ({ team }) => team },
      { title: 'Created', value: ({ created_at }) => when(created_at, time) },
      { title: 'Last used', value: ({ last_used }) => (last_used === null ? 'never' : when(last_used, time)) },
    ],
    empty: 'No feed yet. Create one: relt feeds create releases',
  })
}
