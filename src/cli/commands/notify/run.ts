import type { Command } from 'commander'
import { requireStoreAt } from '../../../config/store-place.ts'
import type { Context } from '../../../context.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { say, sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'

export interface NotifyRunOptions {
  once?: boolean
  data?: string
}

export function createCommand(context: Context, run = runNotify): Command {
  return newCommand('run', 'Send notifications of the store on this machine', [
    'relt notify run --once',
    'RELT_SMTP_URL=smtp://user@mail.example.com RELT_SMTP_PASSWORD_FILE=smtp-password relt notify run',
  ])
    .option('--once', 'send what is due now, then exit')
    .option(
      '--data <folder>',
      'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
    )
    .addHelpText(
      'after',
      '\n`relt serve` sends notifications by itself. Without a server, nothing leaves without this command.',
    )
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runNotify(cli: Cli, { once, data }: NotifyRunOptions): Promise<void> {
  if (data === undefined) await requireOwnStore(cli.context)
  else requireStoreAt(cli.context.env, data)
  const notifications = await (await cli.context.admin(data)).notifications()
  if (!once) say(cli, 'Sending notifications until interrupted.')
  const counts = await interruptible((stopped) => notifications.run({ once, stopped }))
  const parts = [`${counts.sent} sent`, `${counts.failed} failed`, `${counts.skipped} skipped`]
  await sayDone(cli, `Notifications: ${parts.join(', ')}`, { success: true, ...counts })
}
