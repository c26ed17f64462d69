import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'revoke',
  summary: 'Revoke the address of a feed',
  examples: ['relt feed revoke feed_0f9d7c528f6e4d0a --yes'],
  args: [['<id>', 'id of the feed']],
  options: yesOption,
  run: async (cli, feed_id, { yes }) => {
    await confirm(cli, { yes }, `Revoke feed ${feed_id}?`)
    const answer = await (await cli.context.client()).call('revokeFeed', { params: { feed_id } })
    await sayDone(cli, `Revoked feed ${feed_id}`, answer)
  },
})
