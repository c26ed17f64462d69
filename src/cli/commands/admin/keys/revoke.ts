import { sayDone } from '../../../output/say.ts'
import type { Cli } from '../../../program/command.ts'
import type { OptionsOf } from '../../../program/options.ts'
import { verb } from '../../../program/verb.ts'
import { sayMade, things } from '../../keys/made.ts'
import { openAdmin } from '../command.ts'
import { toShown } from '../made.ts'

const options = {
  '--only': 'keep the keys, feeds, webhooks and team members that came of it',
} as const

type RevokeKeyOptions = OptionsOf<typeof options>

export default verb({
  name: 'revoke',
  summary: 'Revoke an API key, and end what was made with it',
  examples: [
    'relt admin keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e',
    'relt admin keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e --only',
  ],
  args: [['<uuid>', 'UUID of the key']],
  options,
  run: runRevoke,
})

async function runRevoke(cli: Cli, uuid: string, { only = false }: RevokeKeyOptions = {}): Promise<void> {
  const store = await openAdmin(cli)
  const made = sayMade(cli.io, toShown(await store.findMadeByKey(uuid)))
  const ended = await store.revokeKey(uuid, { endMade: !only })
  await sayDone(cli, `Revoked ${uuid}${ended && made > 0 ? `, and ended ${things(made)}` : ''}`, {
    success: true,
    ...(ended && { ended }),
  })
}
