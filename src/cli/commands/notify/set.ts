import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { webhookEpilog } from '../subs/webhook-options.ts'
import { accountName } from '../teams/current.ts'
import { settingOptions, toChanges } from './setting-options.ts'

export default verb({
  name: 'set',
  summary: 'Change the notification settings of your account',
  examples: [
    'relt notify set --slack-webhook',
    'relt notify set --time-zone Europe/Berlin --digest-hour 7 --quiet-hours 22:00-07:00',
    'relt notify set --cluster-events all --cluster-scope prod-eu,label:prod',
    'pass show slack | relt notify set --slack-webhook --secret-file -',
    'relt notify set --no-teams-webhook --webhook-release-types app',
  ],
  options: settingOptions,
  epilog: webhookEpilog,
  run: async (cli, options) => {
    const change = await toChanges(cli, options)
    const client = await cli.context.client()
    const answer = await client.call('updateAccountSettings', { body: change })
    await sayDone(cli, `Changed ${Object.keys(change).join(', ')} of ${await accountName(cli)}`, answer)
  },
})
