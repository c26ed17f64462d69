import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'revoke',
  summary: 'Revoke the address of a feed',
  examples: ['relt feed revoke feed_0f9d7c528f6e4d0a --yes'],
  args: [['<id>', 'id of the feed']],
  options: {
    '-y, --yes': 'skip the confirmation prompt',
  },
  run: async (cli, feed_id, { yes }) => {
    if (!yes) {
      const { confirmOrRefuse } = await import('../../input/prompt.ts')
      await confirmOrRefuse(cli.io, `Revoke feed ${feed_id}?`)
    }
    const answer = await (await cli.context.client()).call('revokeFeed', { params: { feed_id } })
    await sayDone(cli, `Revoked feed ${feed_id}`, answer)
  },
})
