import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { getSubscription, listSubscriptions } from '../subs/find.ts'

export default verb({
  name: 'rotate-secret',
  summary: 'Create a new signing secret for the generic webhook',
  examples: ['relt webhooks rotate-secret', 'relt webhooks rotate-secret --project argo-cd > secret.txt'],
  options: {
    '--project <project>': 'slug, name or id of a project that you follow (default: the account)',
  },
  /** Only the secret goes to standard output, so that a pipe gets nothing else. */
  run: async (cli, { project }) => {
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
  },
})
