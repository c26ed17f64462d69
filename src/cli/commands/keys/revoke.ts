import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { findKey } from './find.ts'
import { findMade, sayMade, things } from './made.ts'

export default verb({
  name: 'revoke',
  summary: 'Revoke an API key, and end what was made with it',
  examples: [
    'relt keys revoke "CI of the shop"',
    'relt keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e --yes',
    'relt keys revoke "CI of the shop" --only',
  ],
  args: [['[key]', 'uuid or name']],
  options: {
    '--only': 'keep the keys, feeds, webhooks and team members that came of it',
    ...yesOption,
  },
  run: async (cli, uuidOrName, options) => {
    const { yes, only } = options
    const { uuid, name } = await findKey(cli, uuidOrName)
    const client = await cli.context.client()
    const made = sayMade(cli.io, await findMade(client, uuid))
    const ends = made > 0 && !only
    if (!yes) {
      const isOwn = (await (await cli.context.credentials())?.currentKeyUuid()) === uuid
      const own = isOwn ? ', which you are signed in with' : ''
      const others = ends ? `, and end the ${things(made)} above` : ''
      await confirm(cli, { yes }, `Revoke key ${uuid}, ${name}${own}${others}?`)
    }
    const answer = await client.call('revokeKey', { params: { uuid }, query: ends ? { made: 'end' } : {} })
    await sayDone(cli, `Revoked key ${uuid}, ${name}${ends ? `, and ended ${things(made)}` : ''}`, answer)
  },
})
