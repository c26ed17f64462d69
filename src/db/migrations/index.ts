import type { Transaction } from 'kysely'

interface Migration {
  up: (trx: Transaction<unknown>) => Promise<void>
}

interface SharedMigration extends Migration {
  /** The same change in PostgreSQL: one or more statements. */
  postgres: string
}

const beforePostgres: (() => Promise<Migration>)[] = [
  () => import('./0001-start.ts'),
  () => import('./0002-accounts.ts'),
  () => import('./0003-report-format.ts'),
  () => import('./0004-source.ts'),
  () => import('./0005-cycle.ts'),
  () => import('./0006-advisory.ts'),
  () => import('./0007-run-identity.ts'),
  () => import('./0008-synced-address.ts'),
  () => import('./0009-data-key.ts'),
  () => import('./0010-key-scope.ts'),
  () => import('./0011-config-summary.ts'),
  () => import('./0012-composed-names.ts'),
  () => import('./0013-webhook.ts'),
  () => import('./0014-catalog-facts.ts'),
  () => import('./0015-team.ts'),
  () => import('./0016-finding-counts.ts'),
  () => import('./0017-agent.ts'),
  () => import('./0018-cycle-latest.ts'),
  () => import('./0019-exception.ts'),
  () => import('./0020-catalog-revision.ts'),
  () => import('./0021-cluster-summary.ts'),
  () => import('./0022-agent-heartbeat.ts'),
  () => import('./0023-outbox.ts'),
  () => import('./0024-notification-settings.ts'),
  () => import('./0025-signing-secret.ts'),
]

/** PostgreSQL's migrations after its first one, which makes the schema that SQLite had by then. */
export const sharedMigrations: (() => Promise<SharedMigration>)[] = [
  () => import('./0026-feed.ts'),
  () => import('./0027-cluster-mails.ts'),
  () => import('./0028-session-key.ts'),
  () => import('./0029-key-lock.ts'),
  () => import('./0030-token-bucket.ts'),
  () => import('./0031-cluster-change.ts'),
  () => import('./0032-unknown-severity.ts'),
  () => import('./0033-accepted-scope.ts'),
  () => import('./0034-scanner-summary.ts'),
  () => import('./0035-earlier-finding.ts'),
  () => import('./0036-state-facts.ts'),
  () => import('./0037-known-address.ts'),
  () => import('./0038-tags.ts'),
  () => import('./0039-made-by.ts'),
  () => import('./0040-plain-addresses.ts'),
]

/** In order; each loads when it is due. A migration that has been released never changes. */
export const migrations = [...beforePostgres, ...sharedMigrations]
