import type { Client } from '../../../client/client.ts'
import type { AccountSettings } from '../../../contract/subscription.ts'
import { readText } from '../../input/read-text.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { settingOptions, toChanges } from '../notify/setting-options.ts'
import { webhookEpilog } from '../subs/webhook-options.ts'
import { chooseTeam, clientFor } from './current.ts'

export default verb({
  name: 'set',
  summary: 'Change the channels, notification settings and gate policy of a team',
  examples: [
    'relt teams set --slack-webhook --cluster-events all',
    'relt teams set platform --quiet-hours 22:00-07:00 --digest-hour 8 --time-zone Europe/Berlin',
    'relt teams set platform --fleet-report weekly',
    'relt teams set --gate-policy relt.yaml',
  ],
  args: [['[team]', 'team name (default: the team that you act for)']],
  options: {
    ...settingOptions,
    '--gate-policy <file>': 'YAML file with the rules of gates that have none of their own; - for standard input',
    '--no-gate-policy': 'remove the policy of gates',
  },
  epilog: `${webhookEpilog}\nMembers keep their own settings. relt subs and relt webhooks take --team for the team's own.`,
  run: async (cli, named, { gatePolicy, ...options }) => {
    const team = await chooseTeam(cli, named)
    const policy = typeof gatePolicy === 'string' ? await readText(cli.context, gatePolicy) : null
    const change: AccountSettings =
      gatePolicy === undefined || Object.keys(options).length > 0 ? await toChanges(cli, options) : {}
    const client = await clientFor(cli, team)
    const names = Object.keys(change)
    const saved = names.length === 0 ? undefined : await client.call('updateAccountSettings', { body: change })
    const stored = gatePolicy === undefined ? undefined : await client.call('setGatePolicy', { body: { policy } })
    const changed = [...names, ...(stored ? ['gate_policy'] : [])]
    if (change.fleet_report === 'weekly') await warnWithoutEmail(cli, client, team)
    await sayDone(cli, `Changed ${changed.join(', ')} of team ${team}`, { ...saved, ...stored, success: true })
  },
})

async function warnWithoutEmail({ io }: Cli, client: Client, team: string): Promise<void> {
  const { notifications } = await client.call('getTeam', { params: { team } })
  if (notifications?.email) return
  io.err(
    `Team ${team} has no email address, so no report is sent. Set one: relt admin teams set-email ${team} ADDRESS\n`,
  )
}
