import { unlimited } from '../../../contract/choices.ts'
import { askName } from '../../input/ask.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import { show } from '../../output/output.ts'
import { say, sayDone } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import { findKey } from './find.ts'
import { keyOptions, requireGranted, wantedKey } from './key-options.ts'
import { findMade, sayMade, things } from './made.ts'
import rotate from './rotate.ts'
import { showOnce } from './show-once.ts'
import { keyColumns, limitsText } from './view.ts'

export const list = verb({
  name: 'list',
  summary: 'List your API keys',
  examples: ['relt keys list', 'relt keys list --json'],
  run: async (cli) => {
    const found = await cli.call('listKeys', {})
    const { count, limit } = found
    const isLimited = limit < unlimited
    await show(cli, {
      body: found,
      rows: found.keys,
      columns: keyColumns,
      empty: isLimited ? `No keys yet. Your plan allows ${limit}.` : 'No keys yet. Create one: relt keys create NAME',
    })
    if (!cli.json && count > 0 && isLimited) {
      cli.io.err(cli.io.errColor.dim(`${count} of ${limit} keys allowed by your plan.\n`))
    }
  },
})

export const create = verb({
  name: 'create',
  summary: 'Create an API key and show it once',
  examples: [
    'relt keys create "CI of the shop" --scope upload --expires 90d',
    'relt keys create dashboard --scope read --json',
  ],
  args: [['[name]', 'name of the key']],
  options: keyOptions(),
  run: async (cli, name, options) => {
    const body = wantedKey(name ?? (await askName(cli)), options, cli.context.now())
    const answer = await cli.call('createKey', { body })
    await requireGranted(cli, body, answer.item)
    say(cli, `Created key ${answer.item.uuid}, ${answer.item.name}${limitsText(answer.item)}`)
    await showOnce(cli, answer)
  },
})

export const revoke = verb({
  name: 'revoke',
  summary: 'Revoke an API key, and end what was made with it',
  examples: [
    'relt keys revoke "CI of the shop"',
    'relt keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e --yes',
    'relt keys revoke "CI of the shop" --only',
  ],
  args: [['[key]', 'uuid or name']],
  options: {
    '--only':
      'keep what came of it: keys, feeds, webhooks, team members, exceptions, ends of subjects, baselines, splits',
    ...yesOption,
  },
  run: async (cli, uuidOrName, options) => {
    const { yes, only } = options
    const { uuid, name } = await findKey(cli, uuidOrName)
    const made = sayMade(cli.io, await findMade(cli, uuid))
    const ends = made > 0 && !only
    if (!yes) {
      const isOwn = (await (await cli.context.credentials())?.currentKeyUuid()) === uuid
      const own = isOwn ? ', which you are signed in with' : ''
      const others = ends ? `, and end the ${things(made)} above` : ''
      await confirm(cli, { yes }, `Revoke key ${uuid}, ${name}${own}${others}?`)
    }
    const answer = await cli.call('revokeKey', { params: { uuid }, query: ends ? { made: 'end' } : {} })
    await sayDone(cli, `Revoked key ${uuid}, ${name}${ends ? `, and ended ${things(made)}` : ''}`, answer)
  },
})

export default noun({
  examples: ['relt keys create "CI of the shop"', 'relt keys create laptop --as ada --data /var/lib/relt'],
  options: {
    '--as <user>': 'login name of a user of the store on this machine, whose keys these are',
    '--data <folder>': 'data folder or postgres:// address of that store (default: RELT_HOME, or the platform default)',
  },
  verbs: [list, create, revoke, rotate],
})
