import { sql, type Transaction } from 'kysely'

/** The id in a sealed webhook, `sealed:ID:…`. */
const keyOf = (column: string) => `substr(new.${column}, 8, instr(substr(new.${column}, 8), ':') - 1)`
const isActive = (id: string) =>
  `exists (select 1 from data_key where id = ${id} and purpose = 'seal' and retired_at is null)`
const webhooks = ['slack_webhook', 'teams_webhook', 'generic_webhook']
const hasRetiredWebhook = webhooks
  .map((each) => `(new.${each} is not old.${each} and new.${each} like 'sealed:%' and not ${isActive(keyOf(each))})`)
  .join(' or ')

/**
 * Refuses a write that was sealed with a retired key. Only so may a retired key go once nothing uses it, while processes
 * that have not heard of the new one still write.
 */
const refuse = (name: string, event: string, condition: string) =>
  sql.raw(`create trigger ${name} before ${event} when ${condition} begin select raise(abort, 'retired data key'); end`)

const statements = [
  sql`create table data_key (
    id text primary key,
    purpose text not null,
    wrapped blob not null,
    master_key_id text not null,
    created_at integer not null,
    retired_at integer
  ) without rowid`,
  sql`create index run_part_by_key on run_part (key_id)`,
  refuse('run_part_key', 'insert on run_part', `not ${isActive('new.key_id')}`),
  refuse('run_part_new_key', 'update of key_id on run_part', `not ${isActive('new.key_id')}`),
  refuse('cluster_config_key', 'insert on cluster_config', `not ${isActive('new.key_id')}`),
  refuse('cluster_config_new_key', 'update of key_id on cluster_config', `not ${isActive('new.key_id')}`),
  refuse('user_webhook_key', `update of ${webhooks.join(', ')} on user`, hasRetiredWebhook),
  refuse('subscription_webhook_key', `update of ${webhooks.join(', ')} on subscription`, hasRetiredWebhook),
  // Fingerprints and content hashes of the clusters that are there were stored without a key.
  sql`alter table cluster add column is_keyed integer not null default 0`,
  sql`create index cluster_not_keyed on cluster (id) where is_keyed = 0`,
]

/** The master key wraps data keys, which seal and hash. They are made when the store is opened with its master key. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
