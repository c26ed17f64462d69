import { show } from '../../../output/output.ts'
import { say, sayDone } from '../../../output/say.ts'
import { noun, verb } from '../../../program/verb.ts'
import { keyOptions, wantedKey } from '../../keys/key-options.ts'
import { sayMade, things } from '../../keys/made.ts'
import { keyColumns, limitsText } from '../../keys/view.ts'
import { openAdmin } from '../command.ts'
import { toShown } from '../made.ts'

export const create = verb({
  name: 'create',
  summary: 'Create an API key and show it once',
  examples: [
    'relt admin keys create ada --name "CI of the shop"',
    'relt admin keys create ada --name ci --scope upload --expires 90d --json',
  ],
  args: [['<user>', 'login name']],
  options: {
    '--name <name>': { help: 'name of the key', required: true },
    ...keyOptions(),
  },
  /** Only the password goes to standard output, so that a pipe gets nothing else. */
  run: async (cli, login, options) => {
    const { name: _, ...limits } = wantedKey(options.name, options, cli.context.now())
    const issued = await (await openAdmin(cli)).createKey(login, options.name, limits)
    say(cli, `Created key ${issued.item.uuid} of ${login}${limitsText(issued.item)}`)
    await show(cli, {
      body: { success: true, ...issued },
      text: () => `${issued.password}\n`,
      note: 'Save it now. It is not shown again.',
    })
  },
})

export const list = verb({
  name: 'list',
  summary: 'List API keys of a user',
  examples: ['relt admin keys list ada', 'relt admin keys list ada --json'],
  args: [['<user>', 'login name']],
  run: async (cli, login) => {
    const keys = await (await openAdmin(cli)).listKeys(login)
    await show(cli, {
      body: { success: true, items: keys },
      rows: keys,
      columns: keyColumns,
      empty: `${login} has no keys.`,
    })
  },
})

export const revoke = verb({
  name: 'revoke',
  summary: 'Revoke an API key, and end what was made with it',
  examples: [
    'relt admin keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e',
    'relt admin keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e --only',
  ],
  args: [['<uuid>', 'UUID of the key']],
  options: {
    '--only': 'keep the keys, feeds, webhooks and team members that came of it',
  },
  run: async (cli, uuid, { only = false }) => {
    const store = await openAdmin(cli)
    const made = sayMade(cli.io, toShown(await store.findMadeByKey(uuid)))
    const ended = await store.revokeKey(uuid, { endMade: !only })
    await sayDone(cli, `Revoked ${uuid}${ended && made > 0 ? `, and ended ${things(made)}` : ''}`, {
      success: true,
      ...(ended && { ended }),
    })
  },
})

export default noun({
  name: 'keys',
  summary: 'Manage API keys of any user',
  examples: ['relt admin keys create ada --name "CI of the shop"', 'relt admin keys list ada'],
  verbs: [create, list, revoke],
})
