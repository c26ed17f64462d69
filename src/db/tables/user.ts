import type { Generated } from 'kysely'
import type { Weekday } from '../../contract/choices.ts'
import type { Severity } from '../../contract/shape.ts'
import type { Plan } from '../../contract/subscription.ts'
import type { UnixSeconds } from '../../util/time.ts'

export interface UserTable {
  id: Generated<number>
  login: string
  email: string | null
  role: 'user' | 'admin'
  plan: Plan
  created_at: UnixSeconds
  /** Hash for the browser sign-in; null for users without a password. */
  password_hash: string | null
  password_tag: Uint8Array | null
  role_tag: Uint8Array | null
  /** Nothing of a disabled account signs in. */
  disabled_at: UnixSeconds | null
  webhook_release_types: Generated<string>
  /** IANA name. */
  time_zone: Generated<string>
  digest_hour: Generated<number>
  digest_weekday: Generated<Weekday>
  /** `22:00-07:00`, or empty. */
  quiet_hours: Generated<string>
  /** Security fixes of at least this severity do not wait; `none`: all wait. */
  quiet_hours_except: Generated<Severity>
  min_severity: Generated<Severity>
  only_what_runs: Generated<number>
  /** Comma-separated types of events. */
  cluster_events: Generated<string>
  /** Comma-separated clusters and labels; empty: all clusters. */
  cluster_scope: Generated<string>
  /** Events of clusters are mailed, too. */
  cluster_mails: Generated<number>
}
