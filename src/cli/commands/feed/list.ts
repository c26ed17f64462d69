import { when } from '../../../util/ago.ts'
import { titles } from '../../../views/titles.ts'
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
        { title: titles.id, value: ({ feed_id }) => feed_id },
        { title: titles.kind, value: ({ kind }) => kind },
        {
          title: titles.cluster,
          value: ({ cluster_name, environment }) => cluster_name && `${cluster_name}/${environment}`,
        },
        { title: titles.team, value: ({ team }) => team },
        { title: titles.created, value: ({ created_at }) => when(created_at, time) },
        { title: titles.last_used, value: ({ last_used }) => (last_used === null ? 'never' : when(last_used, time)) },
      ],
      empty: 'No feed yet. Publish one: relt feed publish releases',
    })
  },
})
