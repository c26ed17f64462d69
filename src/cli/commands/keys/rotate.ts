import type { KeptCredentials } from '../../../config/kept-credentials.ts'
import type { ReceivedApiKey } from '../../../contract/received/api-key.ts'
import { ReltError } from '../../../errors.ts'
import { formatTimestamp, parseTimestamp } from '../../../util/time.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { findKey } from './find.ts'
import { keyOptions, requireGranted, wantedKey } from './key-options.ts'
import { findMade, sayMade } from './made.ts'
import { showOnce } from './show-once.ts'

const options = {
  '--name <name>': 'name of the new key (default: the name of the old key)',
  '--store': 'sign in with the new key (default: if you are signed in with the old key)',
  '--end-made':
    'also end what came of the old key: keys, feeds, webhooks, team members, exceptions, ends of subjects, baselines, splits',
  '--revoke-first': 'if your plan allows no more keys, revoke the old key before the new one is created',
  ...keyOptions({ expires: 'the lifetime of the old key, from now on', scope: 'the scope of the old key' }),
} as const

type RotateOptions = OptionsOf<typeof options>

export default verb({
  name: 'rotate',
  summary: 'Replace an API key and revoke the old one',
  examples: [
    'relt keys rotate',
    'relt keys rotate "CI of the shop" --json',
    'relt keys rotate "CI of the shop" --expires 90d',
  ],
  args: [['[key]', 'uuid or name (default: the key you are signed in with)']],
  options,
  run: async (cli, typed, options) => {
    const credentials = await cli.context.credentials()
    if (options.store && !credentials) {
      throw new ReltError('usage', 'You are not signed in, so there is no place to store the key.', {
        hint: 'Remove --store.',
      })
    }
    const current = await credentials?.currentKeyUuid()
    const old = await findKey(cli, typed ?? current)
    const store = options.store || old.uuid === current ? credentials : undefined
    const body = replacementFor(old, options, cli.context.now())
    const { remaining, limit } = await cli.call('listKeys', {})
    const revokeFirst = remaining === 0
    if (revokeFirst) {
      if (!options.revokeFirst) throw planIsFull(limit)
      // Without the old key, the new one could not be requested.
      if (credentials && (store || current === undefined)) throw ownKeyComesLast(old)
      await revoke(cli, old, options)
    }
    // Other servers do not support replacing a key.
    const created = await cli.call('createKey', { body: revokeFirst ? body : { ...body, replaces: old.uuid } })
    await requireGranted(cli, body, created.item)
    if (store) await keep(cli, store, created)
    else await showOnce(cli, { ...created, replaces: old.uuid })
    if (!revokeFirst) await revoke(cli, old, options)
    if (store) await show(cli, { body: { success: true, item: created.item, replaces: old.uuid } })
  },
})

/** Same scope and lifetime as the old key, from now on, unless given. */
function replacementFor(old: ReceivedApiKey, { name = old.name, expires, scope }: RotateOptions, now: number) {
  const wanted = wantedKey(name, { ...(expires && { expires }), scope: scope ?? old.scope ?? 'all' }, now)
  if (expires !== undefined || old.expires_at === null) return wanted
  const lifetime = (parseTimestamp(old.expires_at) ?? now) - (parseTimestamp(old.created) ?? now)
  return { ...wanted, expires_at: formatTimestamp(now + lifetime) }
}

/** Revokes the new key if its secret could not be stored. */
async function keep(
  cli: Cli,
  credentials: KeptCredentials,
  { item, password }: { item: ReceivedApiKey; password: string },
) {
  try {
    await credentials.save({ uuid: item.uuid, password })
  } catch (error) {
    await cli.call('revokeKey', { params: { uuid: item.uuid } })
    throw error
  }
  say(cli, `Stored the new key ${item.uuid}, ${item.name}`)
}

async function revoke(cli: Cli, { uuid, name }: ReceivedApiKey, { endMade = false }: RotateOptions) {
  if (endMade) sayMade(cli.io, await findMade(cli, uuid), 'the old key')
  await cli.call('revokeKey', { params: { uuid }, query: endMade ? { made: 'end' } : {} })
  say(cli, `Revoked the old key ${uuid}, ${name}${endMade ? ', and ended what was made with it' : ''}`)
}

function planIsFull(limit: number) {
  return new ReltError('forbidden', `All ${limit} keys of the plan are in use.`, {
    hint: 'Revoke another key, or add --revoke-first; then neither key works until the new one is stored.',
  })
}

function ownKeyComesLast({ uuid }: ReceivedApiKey) {
  return new ReltError('forbidden', `Without key ${uuid} you may not be able to create a new one.`, {
    hint: 'Revoke another key first: relt keys revoke',
  })
}
