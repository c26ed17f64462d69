import { when } from '../../../util/ago.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'list',
  summary: 'List the addresses of your Atom and calendar feeds',
  examples: ['relt feed list', 'relt feed list --json'],
  run: async (cli) => {
    const { context, io } = cli
    const found = await (await context.client()).call('listFeeds', {})
    const time = { isTerminal: io.isTerminal, now: context.now() }
    await show(cli, {
      body: found,
      rows: found.items,
      columns: () => [
        { title: 'ID', value: ({ feed_id }) => feed_id },
        { title: 'Kind', value: ({ kind }) => kind },
        {
          title: 'Cluster',
          value: ({ cluster_name, environment }) => cluster_name && `${cluster_name}/${environment}`,
        },
        { title: 'Team', value: ({ team }) => team },
        { title: 'Created', value: ({ created_at }) => when(created_at, time) },
        { title: 'Last used', value: ({ last_used }) => (last_used === null ? 'never' : when(last_used, time)) },
      ],
      empty: 'No feed yet. Publish one: relt feed publish releases',
    })
  },
})
