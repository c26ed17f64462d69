import { secretFile } from '../../../input/secret.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { sayMade, things } from '../../keys/made.ts'
import { openAdmin } from '../command.ts'
import { toShown } from '../made.ts'

export default verb({
  name: 'set-password',
  summary: 'Set the browser password of a user and end their sessions',
  examples: [
    'relt admin users set-password ada',
    'pass show relt/ada | relt admin users set-password ada --secret-file -',
    'relt admin users set-password ada --end-made',
  ],
  args: [['<name>', 'login name']],
  options: {
    '--end-made': 'also end the keys, feeds, webhooks and team members that came of the old password',
    ...secretFile('password'),
  },
  run: async (cli, login, options) => {
    const store = await openAdmin(cli)
    // Reports an unknown name before asking for a password.
    await store.getUser(login)
    const { readNewPassword } = await import('../read-password.ts')
    const password = await readNewPassword(cli, options.secretFile)
    const { endMade = false } = options
    const made = sayMade(cli.io, toShown(await store.findMadeByPassword(login)), 'the old password')
    const ended = await store.setPassword(login, password, { endMade })
    const what = ended ? `, and ended ${things(made)}` : ''
    say(cli, `Set the password of ${login}${what}`)
    const hint = made > 0 && !ended && 'They still work. To end them, add --end-made.'
    await show(cli, { body: { success: true, ...(ended && { ended }) }, ...(hint && { note: hint }) })
  },
})
