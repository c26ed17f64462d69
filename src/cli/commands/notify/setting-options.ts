import { InvalidArgumentError } from 'commander'
import { clusterEvents, fleetReports, severities, weekdays } from '../../../contract/choices.ts'
import type { AccountSettings } from '../../../contract/subscription.ts'
import { defined } from '../../../util/defined.ts'
import { requireChange } from '../../input/require-change.ts'
import type { OptionsOf } from '../../program/options.ts'

/** Settings of the user's account, or of a team. */
export const settingOptions = {
  '--webhook-release-types <types>': 'release types sent to webhooks: app,helm,pre',
  '--time-zone <zone>': 'time zone, such as Europe/Berlin',
  '--digest-hour <hour>': { help: 'hour of digests in the time zone, 0 to 23', parse: readHour },
  '--digest-weekday <day>': { help: 'day of weekly digests', choices: weekdays },
  '--quiet-hours <hours>': 'defer notifications during these hours, such as 22:00-07:00',
  '--no-quiet-hours': 'remove the quiet hours',
  '--quiet-hours-except <severity>': {
    help: 'do not defer security fixes of at least this severity; none: defer all',
    choices: severities,
  },
  '--min-severity <severity>': {
    help: 'notify only about security fixes of at least this severity; none: about all releases',
    choices: severities,
  },
  '--only-what-runs': 'notify only about releases newer than the versions in the clusters',
  '--no-only-what-runs': 'notify about all releases',
  '--cluster-events <types>': `events of clusters: all, or a list of ${clusterEvents.join(', ')}`,
  '--no-cluster-events': 'do not notify about events of clusters',
  '--cluster-scope <clusters>': 'only these clusters: NAME, NAME/ENVIRONMENT and label:LABEL; empty: all',
  '--cluster-mails': 'also send events of clusters by email',
  '--no-cluster-mails': 'send events of clusters to webhooks only',
  '--owner-scope <owners>': 'digests only about what these owners run, and what nobody owns, with commas; empty: all',
  '--fleet-report <when>': { help: 'mail a report of all clusters', choices: fleetReports },
} as const

function readHour(text: string) {
  const hour = Number(text)
  if (/^\d{1,2}$/.test(text) && hour <= 23) return hour
  throw new InvalidArgumentError('Use a whole hour from 0 to 23.')
}

/** The changes requested by the options, with field names as in the API. Throws `usage` if there are none. */
export function toChanges(options: OptionsOf<typeof settingOptions>): AccountSettings {
  requireChange(options)
  const { quietHours, clusterEvents: events } = options
  return defined({
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
    owner_scope: options.ownerScope,
    fleet_report: options.fleetReport,
  })
}
