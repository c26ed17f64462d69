import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { cliOf, newCommand } from '../../program/command.ts'
import { addSyncOptions, runSync } from './run.ts'

export function createCommand(context: Context, run = runSync): Command {
  const command = newCommand('both', 'Copy missing items in both directions', [
    'relt sync both --with https://radar.example --dry-run',
    'relt sync both --server old --with new',
  ])
  return addSyncOptions(command).action((options, command) => run(cliOf(context, command), ['pull', 'push'], options))
}
