import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { getSubscription, listSubscriptions } from '../subs/find.ts'

export interface RotateSecretOptions {
  project?: string
}

export function createCommand(context: Context, run = runRotateSecret): Command {
  return newCommand('rotate-secret', 'Create a new signing secret for the generic webhook', [
    'relt webhooks rotate-secret',
    'relt webhooks rotate-secret --project argo-cd > secret.txt',
  ])
    .option('--project <project>', 'slug, name or id of a project that you follow (default: the account)')
    .action((options, command) => run(cliOf(context, command), options))
}

/** The secret alone goes to standard output, so that a pipe gets nothing else. */
export async function runRotateSecret(cli: Cli, { project }: RotateSecretOptions): Promise<void> {
  const client = await cli.context.client()
  const subscription =
    project === undefined ? undefined : await getSubscription(cli, await listSubscriptions(client), project)
  const body = await client.call('rotateWebhookSecret', {
    body: { ...(subscription && { subscription_id: subscription.id }) },
  })
  await show(cli, { body, text: () => `${body.secret}\n` })
  if (cli.json) return
  const previous = body.previous_valid_until
  const until = previous === null ? '' : ` The previous secret also signs until ${previous} UTC.`
  cli.io.err(cli.io.errColor.dim(`Save it now. It is not shown again.${until}\n`))
}
