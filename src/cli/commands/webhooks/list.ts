import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { cliOf, newCommand } from '../../program/command.ts'
import { runWebhooks } from '../subs/webhooks.ts'

export function createCommand(context: Context, run = runWebhooks): Command {
  return newCommand('list', 'List webhooks with shortened URLs', [
    'relt webhooks list',
    'relt webhooks list --json',
  ]).action((_options, command) => run(cliOf(context, command), 'relt webhooks set slack'))
}
