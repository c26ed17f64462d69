import { sql, type Transaction } from 'kysely'

const columns: [table: string, column: string, type: 'text' | 'integer'][] = [
  ['feed', 'made_by', 'text'],
  ['feed', 'expires_at', 'integer'],
  ['webhook', 'made_by', 'text'],
  ['team_member', 'made_by', 'text'],
  ['user', 'disabled_at', 'integer'],
]

/** What made a thing that grants access, so that it can end with its maker. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const [table, column, type] of columns) {
    await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${sql.raw(type)}`.execute(trx)
  }
  await sql`create table key_origin (
    uuid text not null primary key,
    user_id integer not null references user (id) on delete cascade,
    made_by text,
    replaces text
  ) without rowid`.execute(trx)
  await sql`create index key_origin_by_user on key_origin (user_id)`.execute(trx)
  await sql`insert into key_origin select uuid, user_id, null, null from api_key`.execute(trx)
}

const types = { text: 'text collate "C"', integer: 'bigint' }

export const postgres = `
${columns.map(([table, column, type]) => `alter table "${table}" add column ${column} ${types[type]};`).join('\n')}
create table key_origin (
  uuid text collate "C" not null primary key,
  user_id bigint not null references "user" (id) on delete cascade,
  made_by text collate "C",
  replaces text collate "C"
);
create index key_origin_by_user on key_origin (user_id);
insert into key_origin select uuid, user_id, null, null from api_key;
`
