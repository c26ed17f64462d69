import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { cliOf, newCommand } from '../../program/command.ts'
import { addSyncOptions, runSync } from './run.ts'

export function createCommand(context: Context, run = runSync): Command {
  const command = newCommand('push', 'Copy missing items to another server', [
    'relt sync push --with https://radar.example --dry-run',
    'relt sync push --local --with https://radar.example --json',
  ])
  return addSyncOptions(command).action((options, command) => run(cliOf(context, command), ['push'], options))
}
