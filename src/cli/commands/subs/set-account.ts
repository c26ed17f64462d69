import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { clusterEvents, severities, weekdays } from '../../../contract/choices.ts'
import type { NotificationSettings } from '../../../contract/notification-settings.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addWebhookOptions, refuseContradictions, type WebhookOptions, webhooksOf } from './webhook-options.ts'

export type SetAccountOptions = WebhookOptions & {
  webhookReleaseTypes?: string
  timeZone?: string
  digestHour?: number
  digestWeekday?: NotificationSettings['digest_weekday']
  /** False: none. */
  quietHours?: string | false
  quietHoursExcept?: NotificationSettings['quiet_hours_except']
  minSeverity?: NotificationSettings['min_severity']
  onlyWhatRuns?: boolean
  /** False: none. */
  clusterEvents?: string | false
  clusterScope?: string
  clusterMails?: boolean
}

export function createCommand(context: Context, run = runSetAccount): Command {
  const command = newCommand('set-account', 'Change the notification settings of your account', [
    'relt subs set-account --slack-webhook',
    'relt subs set-account --time-zone Europe/Berlin --digest-hour 7 --quiet-hours 22:00-07:00',
    'relt subs set-account --cluster-events all --cluster-scope prod-eu,label:prod',
    'pass show slack | relt subs set-account --slack-webhook --secret-file -',
    'relt subs set-account --no-teams-webhook --webhook-release-types app',
  ])
    .option('--webhook-release-types <types>', 'release types sent to webhooks: app,helm,pre')
    .option('--time-zone <zone>', 'your time zone, such as Europe/Berlin')
    .option('--digest-hour <hour>', 'hour of digests in your time zone, 0 to 23', readHour)
    .addOption(new Option('--digest-weekday <day>', 'day of weekly digests').choices(weekdays))
    .option('--quiet-hours <hours>', 'defer notifications during these hours, such as 22:00-07:00')
    .option('--no-quiet-hours', 'remove the quiet hours')
    .addOption(
      new Option(
        '--quiet-hours-except <severity>',
        'do not defer security fixes of at least this severity; none: defer all',
      ).choices(severities),
    )
    .addOption(
      new Option(
        '--min-severity <severity>',
        'notify only about security fixes of at least this severity; none: about all releases',
      ).choices(severities),
    )
    .option('--only-what-runs', 'notify only about releases newer than the versions in your clusters')
    .option('--no-only-what-runs', 'notify about all releases')
    .option('--cluster-events <types>', `events of clusters: all, or a list of ${clusterEvents.join(', ')}`)
    .option('--no-cluster-events', 'do not notify about events of clusters')
    .option('--cluster-scope <clusters>', 'only these clusters: NAME, NAME/ENVIRONMENT and label:LABEL; empty: all')
    .option('--cluster-mails', 'also send events of clusters by email')
    .option('--no-cluster-mails', 'send events of clusters to webhooks only')
  return addWebhookOptions(command).action((options, command) => run(cliOf(context, command), options))
}

function readHour(text: string): number {
  const hour = Number(text)
  if (/^\d{1,2}$/.test(text) && hour <= 23) return hour
  throw new InvalidArgumentError('Use a whole hour from 0 to 23.')
}

export async function runSetAccount(cli: Cli, options: SetAccountOptions): Promise<void> {
  refuseContradictions(options)
  const change = { ...settingsOf(options), ...(await webhooksOf(cli, options)) }
  const client = await cli.context.client()
  const answer = await client.call('updateAccountSettings', { body: change })
  await sayDone(cli, `Changed ${Object.keys(change).join(', ')} of your account`, answer)
}

/** In the names of the wire; what is not given is left out. */
export function settingsOf(options: SetAccountOptions) {
  const { quietHours, clusterEvents: events } = options
  const settings = {
    webhook_release_types: options.webhookReleaseTypes,
    time_zone: options.timeZone,
    digest_hour: options.digestHour,
    digest_weekday: options.digestWeekday,
    quiet_hours: quietHours === false ? '' : quietHours,
    quiet_hours_except: options.quietHoursExcept,
    min_severity: options.minSeverity,
    only_what_runs: options.onlyWhatRuns,
    cluster_events: events === false ? '' : events === 'all' ? clusterEvents.join() : events,
    cluster_scope: options.clusterScope,
    cluster_mails: options.clusterMails,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    [K in keyof typeof settings]?: NonNullable<(typeof settings)[K]>
  }
}
