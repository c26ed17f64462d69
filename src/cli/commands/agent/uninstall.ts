import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { unitOptions } from './unit-options.ts'

export interface UninstallOptions {
  user?: boolean
}

export function createCommand(context: Context, run = runUninstall): Command {
  return newCommand('uninstall', 'Stop the agent and remove its service', [
    'relt agent uninstall --user',
    'sudo relt agent uninstall',
  ])
    .option('--user', 'remove the service of your own user')
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runUninstall(
  cli: Cli,
  options: UninstallOptions,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const { uninstallUnit } = await import('../../../agent/install.ts')
  const { manager, file } = await uninstallUnit(await unitOptions(cli, options, platform))
  await sayDone(cli, `Stopped the agent and removed ${file}; its jobs, history and queued uploads remain`, {
    success: true,
    manager,
    file,
  })
}
