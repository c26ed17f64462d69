import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { cliOf, newCommand } from '../../program/command.ts'
import { runWebhooks } from '../subs/webhooks.ts'

export function createCommand(context: Context, run = runWebhooks): Command {
  return newCommand('list', 'List the webhooks of your account and subscriptions', [
    'relt webhooks list',
    'relt webhooks list -o csv',
  ]).action((_options, command) => run(cliOf(context, command)))
}
