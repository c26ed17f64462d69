import * as z from 'zod/mini'
import { isTimeZone } from '../util/local-time.ts'
import { clusterEvents, fleetReports, weekdays } from './choices.ts'
import { quietHours, timeZone } from './patterns.ts'
import { documented, Severity } from './shape.ts'

/** IANA name, such as `Europe/Berlin`. */
const TimeZone = documented(
  z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(100),
      z.refine(isTimeZone, { error: 'must be a time zone such as Europe/Berlin' }),
    ),
  { type: 'string', minLength: 1, maxLength: 100, pattern: timeZone },
)

/** Start and end in the account's time zone, maybe across midnight; empty: none. */
const QuietHours = documented(
  z.string().check(z.regex(new RegExp(quietHours), { error: 'must be hours such as 22:00-07:00, or an empty text' })),
  { type: 'string', pattern: quietHours },
)

const types = `^((${clusterEvents.join('|').replaceAll('.', '\\.')})(,|$))*$`

/** Event types; empty: none. */
const ClusterEvents = documented(
  z
    .string()
    .check(
      z.maxLength(200),
      z.regex(new RegExp(types), { error: `must be a comma-separated list of ${clusterEvents.join(', ')}` }),
    ),
  { type: 'string', maxLength: 200, pattern: types },
)

const oneLine = documented(
  z.string().check(
    z.maxLength(2000),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    z.refine((value) => !/[\u0000-\u001f\u007f-\u009f]/.test(value), { error: 'must be one line of text' }),
  ),
  { type: 'string', maxLength: 2000, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
)

/** Notification settings of an account: extensions of the API. */
const notificationSettings = {
  time_zone: TimeZone,
  digest_hour: z.int().check(z.gte(0), z.lte(23)),
  digest_weekday: z.enum(weekdays),
  quiet_hours: QuietHours,
  /** Security fixes of at least this severity are sent during quiet hours; `none`: all wait. */
  quiet_hours_except: Severity,
  /** `none`: every release; otherwise only security fixes of at least this severity. */
  min_severity: Severity,
  /** Notify only about releases newer than the version that a cluster runs. */
  only_what_runs: z.boolean(),
  cluster_events: ClusterEvents,
  /** Cluster names, `name/environment` and `label:text`; empty: all clusters. */
  cluster_scope: oneLine,
  /** Whether cluster events are also mailed; webhooks always receive them. */
  cluster_mails: z.boolean(),
  /**
   * Comma-separated owner names; empty: all. Digests exclude releases that only concern other owners' workloads. Those
   * without an owner stay.
   */
  owner_scope: oneLine,
  /** A report on all clusters by mail, at the time of weekly digests. */
  fleet_report: z.enum(fleetReports),
}

const NotificationSettings = z.object(notificationSettings)
export type NotificationSettings = z.infer<typeof NotificationSettings>

/** Each field optional: for changes, files and answers of other servers. */
export const optionalNotificationSettings = z.partial(NotificationSettings).shape
export const notificationSettingNames = Object.keys(notificationSettings) as (keyof NotificationSettings)[]
