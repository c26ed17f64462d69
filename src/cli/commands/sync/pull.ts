import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { cliOf, newCommand } from '../../program/command.ts'
import { addSyncOptions, runSync } from './run.ts'

export function createCommand(context: Context, run = runSync): Command {
  const command = newCommand('pull', 'Copy missing items from another server', [
    'relt sync pull --with https://radar.example --dry-run',
    'relt sync pull --with old --clusters prod-eu/prod',
  ])
  return addSyncOptions(command).action((options, command) => run(cliOf(context, command), ['pull'], options))
}
