import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export interface RemoveUserOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runRemove): Command {
  return newCommand('remove', 'Remove a user and all their data', [
    'relt admin users remove ada',
    'relt admin users remove ada --yes',
  ])
    .argument('<name>', 'login name')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((name, options, command) => run(adminCliOf(context, command), name, options))
}

export async function runRemove(cli: AdminCli, login: string, options: RemoveUserOptions): Promise<void> {
  const store = await cli.admin()
  await store.getUser(login)
  if (!options.yes) {
    const { confirmOrRefuse } = await import('../../../input/prompt.ts')
    await confirmOrRefuse(cli.io, `Permanently remove ${login} with all keys, reports and scan profiles?`)
  }
  await store.removeUser(login)
  await sayDone(cli, `Removed ${login}`, { success: true })
}
