import { when } from '../../../util/ago.ts'
import { titles } from '../../../views/titles.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import { member, show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import showFeed from './show.ts'

const list = verb({
  name: 'list',
  summary: 'List the addresses of your Atom feeds',
  examples: ['relt feed list', 'relt feed list --json'],
  run: async (cli) => {
    const { context, io } = cli
    const found = await cli.call('listFeeds', {})
    const time = { isTerminal: io.isTerminal, now: context.now() }
    await show(cli, {
      body: found,
      rows: found.items,
      columns: () => [
        { title: titles.id, value: member('feed_id') },
        { title: titles.team, value: member('team') },
        { title: titles.created, value: ({ created_at }) => when(created_at, time) },
        { title: titles.last_used, value: ({ last_used }) => (last_used === null ? 'never' : when(last_used, time)) },
      ],
      empty: 'No feed yet. Publish one: relt feed publish',
    })
  },
})

const publish = verb({
  name: 'publish',
  summary: 'Create the address of an Atom feed of new releases, and show it once',
  examples: ['relt feed publish', 'relt feed publish --team platform'],
  run: async (cli) => {
    const answer = await cli.call('createFeed', {})
    await show(cli, { body: answer, text: () => `${answer.url ?? answer.path}\n` })
    if (!cli.json) {
      if (!answer.url) cli.io.err('A server serves it below its own address: relt serve\n')
      cli.io.err(cli.io.errColor.dim('Whoever has the address can read the feed. It is not shown again.\n'))
    }
  },
})

const revoke = verb({
  name: 'revoke',
  summary: 'Revoke the address of a feed',
  examples: ['relt feed revoke feed_0f9d7c528f6e4d0a --yes'],
  args: [['<id>', 'id of the feed']],
  options: yesOption,
  run: async (cli, feed_id, { yes }) => {
    await confirm(cli, { yes }, `Revoke feed ${feed_id}?`)
    await sayDone(cli, `Revoked feed ${feed_id}`, await cli.call('revokeFeed', { params: { feed_id } }))
  },
})

export default noun({
  examples: ['relt feed --days 30', 'relt feed publish'],
  verbs: [showFeed, publish, list, revoke],
  defaultVerb: showFeed,
})
