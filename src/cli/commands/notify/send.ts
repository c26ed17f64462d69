import { requireStoreAt } from '../../../config/store-place.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { say, sayDone } from '../../output/say.ts'
import { requireOwnStore } from '../../program/own-store.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'send',
  summary: 'Send notifications of the store on this machine',
  examples: [
    'relt notify send --once',
    'RELT_SMTP_URL=smtp://user@mail.example.com RELT_SMTP_PASSWORD_FILE=smtp-password relt notify send',
  ],
  options: {
    '--once': 'send what is due now, then exit',
    '--data <folder>': 'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
  },
  epilog: '`relt serve` sends notifications by itself. Without a server, nothing leaves without this command.',
  run: async (cli, { once, data }) => {
    if (data === undefined) await requireOwnStore(cli.context)
    else requireStoreAt(cli.context.env, data)
    const notifications = await (await cli.context.admin(data)).notifications()
    if (!once) say(cli, 'Sending notifications until interrupted.')
    const counts = await interruptible((stopped) => notifications.run({ once, stopped }))
    const parts = [`${counts.sent} sent`, `${counts.failed} failed`, `${counts.skipped} skipped`]
    await sayDone(cli, `Notifications: ${parts.join(', ')}`, { success: true, ...counts })
  },
})
