import { ask } from '../../input/ask.ts'
import { say } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { keyOptions, requireGranted, wantedKey } from './key-options.ts'
import { showOnce } from './show-once.ts'
import { limitsText } from './view.ts'

export default verb({
  name: 'create',
  summary: 'Create an API key and show it once',
  examples: [
    'relt keys create "CI of the shop" --scope upload --expires 90d',
    'relt keys create dashboard --scope read --json',
  ],
  args: [['[name]', 'name of the key']],
  options: {
    ...keyOptions(),
  },
  run: async (cli, name, options) => {
    const body = wantedKey(name ?? (await ask(cli, 'name')), options, cli.context.now())
    const client = await cli.context.client()
    const answer = await client.call('createKey', { body })
    await requireGranted(client, body, answer.item)
    say(cli, `Created key ${answer.item.uuid}, ${answer.item.name}${limitsText(answer.item)}`)
    await showOnce(cli, answer)
  },
})
